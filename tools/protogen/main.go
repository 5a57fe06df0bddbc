// Command protogen compiles the schemas below sdk/api and has protoc-gen-go and protoc-gen-go-grpc generate Go beside them.
//
// It needs no protoc: schemas are compiled in Go. With -check it writes nothing, and fails where a file differs from a schema.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	root := flag.String("root", "sdk/api", "`FOLDER` of the schemas, from which they import one another")
	plugins := flag.String("plugins", "build/tools", "`FOLDER` of protoc-gen-go and protoc-gen-go-grpc")
	check := flag.Bool("check", false, "write nothing, and fail where generated code is stale")
	flag.Parse()
	if err := generate(*root, *plugins, *check, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

// generate generates the code of schemas, which are named relative to root.
func generate(root, plugins string, check bool, schemas []string) error {
	request, err := compile(root, schemas)
	if err != nil {
		return err
	}
	var all []error
	for _, name := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		files, err := run(filepath.Join(plugins, name), request)
		if err != nil {
			return err
		}
		for _, f := range files {
			all = append(all, put(filepath.Join(root, f.GetName()), []byte(f.GetContent()), check))
		}
	}
	return errors.Join(all...)
}

// compile makes the request that plugins get. A warning of the compiler is an error.
func compile(root string, schemas []string) (*pluginpb.CodeGeneratorRequest, error) {
	var warnings []error
	c := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
		Reporter:       reporter.NewReporter(nil, func(w reporter.ErrorWithPos) { warnings = append(warnings, w) }),
	}
	files, err := c.Compile(context.Background(), schemas...)
	if err := errors.Join(append(warnings, err)...); err != nil {
		return nil, err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: schemas, Parameter: proto.String("paths=source_relative")}
	seen := map[string]bool{}
	var add func(f protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		request.ProtoFile = append(request.ProtoFile, descriptorOf(f))
	}
	for _, f := range files {
		add(f)
	}
	return request, nil
}

// descriptorOf keeps the comments where the compiler has them.
func descriptorOf(f protoreflect.FileDescriptor) *descriptorpb.FileDescriptorProto {
	if r, ok := f.(interface {
		FileDescriptorProto() *descriptorpb.FileDescriptorProto
	}); ok {
		return r.FileDescriptorProto()
	}
	return protodesc.ToFileDescriptorProto(f)
}

func run(plugin string, request *pluginpb.CodeGeneratorRequest) ([]*pluginpb.CodeGeneratorResponse_File, error) {
	in, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(plugin)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plugin, err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		return nil, fmt.Errorf("%s: %w", plugin, err)
	}
	if response.Error != nil {
		return nil, fmt.Errorf("%s: %s", plugin, response.GetError())
	}
	return response.GetFile(), nil
}

// put writes a file, or compares it.
func put(file string, text []byte, check bool) error {
	if !check {
		return os.WriteFile(file, text, 0o644)
	}
	if old, err := os.ReadFile(file); err != nil || !bytes.Equal(old, text) {
		return fmt.Errorf("%s: expected what its schema says, found something else: run make generate", file)
	}
	return nil
}
