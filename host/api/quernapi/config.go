package quernapi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// GetConfig implements the service.
func (s *Service) GetConfig(context.Context, *quernv1.GetConfigRequest) (*quernv1.GetConfigResponse, error) {
	c := s.server.View().Configuration()
	return &quernv1.GetConfigResponse{Config: c.Text, Format: c.Format, Tag: c.Tag(), Number: c.N}, nil
}

// ApplyConfig implements the service.
func (s *Service) ApplyConfig(ctx context.Context, r *quernv1.ApplyConfigRequest) (*quernv1.ApplyConfigResponse, error) {
	if f := r.GetFormat(); f != "" && f != "yaml" && f != "toml" {
		return nil, grpcserver.BadParameter("format", "yaml or toml", fmt.Sprintf("%q", f))
	}
	wanted, err := precondition(r.GetIfMatch())
	if err == nil {
		err = checkKey(r.GetIdempotencyKey())
	}
	if err != nil {
		return nil, err
	}
	in := &core.SetConfig{Config: r.GetConfig(), Format: r.GetFormat()}
	var warnings []string
	err = s.server.Checked(ctx, func() error {
		read, err := s.server.CheckConfig(in)
		if err != nil {
			s.server.RefuseConfig(err)
			return configProblem(err)
		}
		for _, w := range read.Warnings {
			warnings = append(warnings, w.String())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	source, done := s.sources.Of(auth.FromContext(ctx).Client())
	defer done()
	set, err := s.server.SetConfig(ctx, source, &server.Request{By: permission.Actor(ctx), Inputs: []core.Input{{Event: in}}, IfConfig: wanted, Key: r.GetIdempotencyKey()})
	if err != nil {
		return nil, configProblem(err)
	}
	return &quernv1.ApplyConfigResponse{Warnings: warnings, Tag: set.Tag(), Number: set.N}, nil
}

// anyConfig is the precondition that always holds.
const anyConfig = "*"

// precondition reads which configuration a change was made for. Empty: any.
func precondition(tag string) (string, error) {
	switch tag {
	case "":
		return "", &grpcserver.Problem{Status: codes.InvalidArgument, Code: "precondition_required", Key: "if_match",
			Detail: "if_match: expected the tag of GetConfig, or * for any, found none"}
	case anyConfig:
		return "", nil
	}
	return tag, nil
}

// configProblem is the problem that a configuration is refused with: all that is wrong.
func configProblem(err error) error {
	var (
		places  config.Errors
		wrong   *server.ConfigError
		refused *server.RefusedConfigError
	)
	p := &grpcserver.Problem{Status: codes.InvalidArgument, Code: "invalid_config", Key: "config"}
	switch {
	case errors.As(err, &places):
		for _, e := range places {
			p.Errors = append(p.Errors, e.Error())
		}
	case errors.As(err, &wrong):
		p.Errors = []string{wrong.Error()}
	case errors.As(err, &refused):
		p.Errors = refused.Reasons
	default:
		return err
	}
	p.Detail = strings.Join(p.Errors, "\n")
	return p
}
