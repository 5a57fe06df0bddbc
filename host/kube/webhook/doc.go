// Package webhook is the admission webhook of the scheduler: the API server asks it before it stores pods, workloads and the queue configuration.
//
// Rules.Mutate sends pods to the scheduler, and writes the user of the request into pods and pod templates of workloads; it refuses the name of another
// user. Queues.Validate refuses a queue configuration that the scheduler could not use. Both are pure.
//
// Server answers the API server over TLS. It makes its certificates, keeps them in a Secret that all replicas share, renews them in time, and writes
// the authorities to trust into the webhook configurations. Objects that the rules do not concern are admitted unchanged.
package webhook
