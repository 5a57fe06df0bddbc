package si

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// Owner is the attribute of nodes, and the tag of applications, that names the resource manager whose they are.
const Owner = "quern/rm"

// Resync is the key of a registration's extraConfig that ends a resync: its value is Complete. What the resource manager has not named
// since it registered is released then.
const (
	Resync   = "quern.resync"
	Complete = "complete"
)

const mostName = 256 // bytes of an rmID

// Service implements si.v1.Scheduler.
type Service struct {
	siv1.UnimplementedSchedulerServer
	server *server.Server
	log    *slog.Logger
	now    func() time.Time
	seq    uint64          // of the first decision that is followed
	life   context.Context // until nothing follows decisions any more
	end    context.CancelFunc

	registering chan struct{}   // has a value while one registers: they take turns
	given       func(id string) // is told of a resource manager that was given to another user

	mu           sync.Mutex
	sessions     map[string]*session
	applications map[string]*application
	asks         map[string]*ask
	nodes        map[string]*node
	gone         map[string]gone // by kind and ID
	sweepAt      int
}

// New returns the service of a server. Follow must run while it serves.
func New(s *server.Server, log *slog.Logger) *Service {
	life, end := context.WithCancel(context.Background())
	return &Service{server: s, log: log, now: time.Now, seq: s.View().NextDecision(), life: life, end: end, registering: make(chan struct{}, 1), given: func(string) {},
		sessions: map[string]*session{}, applications: map[string]*application{}, asks: map[string]*ask{}, nodes: map[string]*node{}, gone: map[string]gone{}, sweepAt: sweepAt}
}

// Register implements grpcserver.Part.
func (s *Service) Register(r grpc.ServiceRegistrar) { siv1.RegisterSchedulerServer(r, s) }

// Methods implements grpcserver.Part.
func (s *Service) Methods() map[string]auth.Role {
	return map[string]auth.Role{
		siv1.Scheduler_RegisterResourceManager_FullMethodName: auth.RM,
		siv1.Scheduler_UpdateAllocation_FullMethodName:        auth.RM,
		siv1.Scheduler_UpdateApplication_FullMethodName:       auth.RM,
		siv1.Scheduler_UpdateNode_FullMethodName:              auth.RM,
	}
}

// RegisterResourceManager implements the service.
func (s *Service) RegisterResourceManager(ctx context.Context, r *siv1.RegisterResourceManagerRequest) (*siv1.RegisterResourceManagerResponse, error) {
	id := r.GetRmID()
	if id == "" || len(id) > mostName || strings.ContainsAny(id, "[]") {
		return nil, grpcserver.BadParameter("rmID", fmt.Sprintf("1 to %d bytes without brackets", mostName), fmt.Sprintf("%q", id))
	}
	if core.TextTooLong(&core.AddApp{Tags: r.GetBuildInfo(), Queue: r.GetVersion()}) != "" {
		return nil, grpcserver.BadParameter("buildInfo", fmt.Sprintf("at most %d bytes, with the version", core.MostTexts), "more")
	}
	switch resync := r.GetExtraConfig()[Resync]; resync {
	case "":
		if err := s.register(ctx, id, r); err != nil {
			return nil, err
		}
	case Complete:
		if err := s.complete(ctx, id); err != nil {
			return nil, err
		}
	default:
		return nil, grpcserver.BadParameter("extraConfig."+Resync, Complete, fmt.Sprintf("%q", resync))
	}
	return &siv1.RegisterResourceManagerResponse{}, nil
}

// register has a resource manager begin, if the caller may.
func (s *Service) register(ctx context.Context, id string, r *siv1.RegisterResourceManagerRequest) error {
	select {
	case s.registering <- struct{}{}:
		defer func() { <-s.registering }()
	case <-ctx.Done():
		return ctx.Err()
	}
	user, err := s.bind(ctx, id, r)
	if err == nil {
		err = s.configure(ctx, r.GetConfig())
	}
	if err != nil {
		return err
	}
	s.begin(id, user, r)
	s.log.Info("a resource manager has registered", "rm", id, "user", user, "version", r.GetVersion())
	return nil
}

// WhenGiven has a function told of each resource manager that is given to another user. Call it before resource managers register.
func (s *Service) WhenGiven(tell func(id string)) { s.given = tell }

// begin has a resource manager of a user begin, or restart.
func (s *Service) begin(id, user string, r *siv1.RegisterResourceManagerRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.sessions[id]
	if known == nil {
		known = newSession(id, s.server.Source(), s.now)
		s.sessions[id] = known
	}
	for _, n := range s.nodes {
		if n.owner == known {
			n.beginForeign()
		}
	}
	known.begin(s.now)
	known.user, known.build = user, buildOf(id, r)
}

// configure puts a configuration in force where it differs from the one that is.
func (s *Service) configure(ctx context.Context, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	same := false
	err := s.server.Checked(ctx, func() error {
		wanted, err := config.Decode([]byte(text), config.Options{Format: config.YAML, Policies: func(string, string) bool { return true }})
		if err != nil {
			s.server.RefuseConfig(err)
			return &grpcserver.Problem{Status: codes.InvalidArgument, Code: "invalid_config", Key: "config", Detail: err.Error(), Errors: strings.Split(err.Error(), "\n")}
		}
		s.server.View().Read(func(present *scheduler.Scheduler) {
			same = reflect.DeepEqual(present.Configuration().Partitions, wanted.Partitions)
		})
		return nil
	})
	if err != nil || same {
		return err
	}
	source := s.server.Source()
	defer source.Close()
	given, err := source.Submit(ctx, &server.Request{By: permission.Actor(ctx), Inputs: []core.Input{{Event: &core.SetConfig{Config: text}}}})
	if err != nil {
		return err
	}
	return refusal(given.Decisions)
}

// refusal is why a configuration was not put in force.
func refusal(list []server.Decision) error {
	for i := range list {
		d, err := list[i].Value()
		if err != nil {
			return err
		}
		if d.Type == core.ConfigRejected {
			return &grpcserver.Problem{Status: codes.InvalidArgument, Code: "invalid_config", Key: "config", Detail: strings.Join(d.Errors, "\n"), Errors: d.Errors}
		}
	}
	return nil
}

// partition returns the name that a client gave a partition, which may begin with its own in brackets. A foreign one stays as it is, and is
// unknown to the scheduler.
func (s *session) partition(name string) string { return strings.TrimPrefix(name, "["+s.id+"]") }
