package kubelabels

// Domain begins most keys.
const Domain = "yunikorn.apache.org/"

// Walltime is an annotation of pods: a duration that the pod promises to run at most.
const Walltime = "quern.dev/walltime"

// The labels and annotations that are read.
const (
	AppID                = Domain + "app-id"
	AppIDShort           = "applicationId"
	SparkAppID           = "spark-app-selector"
	SparkRole            = "spark-role"
	QueueName            = Domain + "queue"
	QueueShort           = "queue"
	UserInfo             = Domain + "user.info"
	UserName             = Domain + "username"
	AllowPreemption      = Domain + "allow-preemption"
	MovableKey           = Domain + "movable"
	TaskGroupName        = Domain + "task-group-name"
	TaskGroupsKey        = Domain + "task-groups"
	SchedulingParameters = Domain + "schedulingPolicyParameters"
	PlaceholderKey       = Domain + "placeholder"
	DisableStateAware    = "disableStateAware"
	ParentQueue          = Domain + "parentqueue"
	MaxCPU               = Domain + "namespace.max.cpu"
	MaxMemory            = Domain + "namespace.max.memory"
)

// The keys of namespaces that may also stand behind Domain + "namespace.", which takes precedence.
const (
	Quota         = "quota"
	Guaranteed    = "guaranteed"
	MaxApps       = "maxApps"
	GenerateAppID = "generateAppId"
	Enable        = "enableYuniKorn"
)
