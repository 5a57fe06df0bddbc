package guest

import (
	"fmt"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// Declares asks a module, in an instance that is not configured yet, what it declares.
func (in *Instance) Manifest() (*abi.Manifest, error) {
	found, err := in.checkVersion()
	if err != nil {
		return nil, err
	}
	at, err := in.invoke(manifest, in.limits.Fuel, 0, 0)
	if err != nil {
		return nil, err
	}
	text, err := in.text(uint32(at), abi.MaxManifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", abi.ExportManifest, err)
	}
	m, err := manifests.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	if spelled := m.ABIVersion(); spelled != found {
		return nil, fmt.Errorf("%s: expected version %s, as the manifest says, found %d.%d", abi.ExportABI, m.ABI, found>>16, found&0xffff)
	}
	return m, manifests.Located([]byte(text), in.checkExports(m))
}

// checkVersion asks a module for the version that it was written for.
func (in *Instance) checkVersion() (uint32, error) {
	answer, err := in.invoke(version, in.limits.Fuel, 0, 0)
	if err != nil {
		return 0, err
	}
	found := uint32(answer)
	if major, minor := found>>16, found&0xffff; major != abi.Major || minor > abi.Minor {
		return 0, fmt.Errorf("%s: expected version %d.0 to %d.%d of the ABI, found %d.%d", abi.ExportABI, abi.Major, abi.Major, abi.Minor, major, minor)
	}
	return found, nil
}

// checkExports refuses a manifest that names a point for which nothing is exported.
func (in *Instance) checkExports(m *abi.Manifest) error {
	for i, p := range abi.Points {
		if _, declared := m.Points[p.Name]; declared && !in.running.Has(firstPoint+Function(i)) {
			return fmt.Errorf("manifest: points: %s: expected the module to export %s, found nothing of that name", p.Name, p.Export)
		}
	}
	return nil
}
