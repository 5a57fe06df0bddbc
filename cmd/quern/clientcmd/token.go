package clientcmd

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth"
)

// tokenFlags say whose a new token is.
type tokenFlags struct {
	user, role, file string
	groups           []string
}

func NewToken(s cli.Streams) *cobra.Command {
	var f tokenFlags
	cmd := &cobra.Command{
		Use:   "token [flags]",
		Short: "Create a token for a user of a live scheduler",
		Long: `Create a bearer token, and its entry for the file that quern serve --tokens reads. The file contains only a hash of the token, so a
lost token cannot be recovered. With --file, append the entry to the file, which a running scheduler reads within a second, and
print only the token.`,
		Example: `  quern token --user ann --role submitter --groups vision
  quern token --user ci --role viewer --file tokens.toml > ci.token`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.user == "" || f.role == "" {
				return cli.Misused(cmd, errors.New("expected --user and --role"))
			}
			return f.run(s)
		},
	}
	cmd.Flags().StringVar(&f.user, "user", "", "the `NAME` of the user")
	cmd.Flags().StringVar(&f.role, "role", "", "the `ROLE` of the user: viewer, submitter, operator, admin or rm")
	cmd.Flags().StringSliceVar(&f.groups, "groups", nil, "the `NAMES` of the groups of the user, joined by commas")
	cmd.Flags().StringVar(&f.file, "file", "", "append the entry to `FILE`.toml, which is created with mode 0600")
	_ = cmd.MarkFlagFilename("file", "toml")
	return cmd
}

func (f *tokenFlags) run(s cli.Streams) error {
	token := newSecret()
	entry, err := f.entry(token)
	if err != nil {
		return err
	}
	if f.file != "" {
		if err := appendEntry(f.file, entry); err != nil {
			return err
		}
		return s.Say(token)
	}
	return s.Show(false, nil, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n\n%s", token, entry)
		return err
	})
}

// TokenPrefix tells searchers of leaked secrets what a token is.
const TokenPrefix = "quern_"

// newSecret makes a token that cannot be guessed.
func newSecret() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	return TokenPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
}

// entry is the entry of a token in a token file.
func (f *tokenFlags) entry(token string) (string, error) {
	sum := sha256.Sum256([]byte(token))
	var text strings.Builder
	err := toml.NewEncoder(&text).Encode(map[string]any{"token": []map[string]any{{
		"sha256": hex.EncodeToString(sum[:]), "user": f.user, "groups": append([]string{}, f.groups...), "role": f.role,
	}}})
	if err == nil {
		if err = auth.CheckTokens("the new entry", []byte(text.String())); err != nil {
			err = cli.Usage(err)
		}
	}
	return text.String(), err
}

// appendEntry appends an entry to a token file, which must be one already or not be there.
func appendEntry(path, entry string) (err error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return cli.Usage(fmt.Errorf("--file: %w", err))
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := auth.CheckTokenFile(path); err != nil {
		return cli.Usage(err)
	}
	_, err = file.WriteString("\n" + entry)
	return err
}
