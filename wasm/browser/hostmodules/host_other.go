//go:build !wasip1

package hostmodules

// This file stands in for the imports in programs that have none: they run no modules.

func hostLoad(_, _ []byte) int32 { return -int32(nobody) }

func hostDrop(int32) {}

func hostStart(int32, string) int32 { return -int32(nobody) }

func hostStop(int32) {}

func hostExports(int32) uint32 { return 0 }

func hostCall(int32, *request, []byte, []span) status { return nobody }

func hostLeft(int32) int64 { return 0 }

func hostSize(int32) uint32 { return 0 }

func hostRead(int32, uint32, []byte) bool { return false }

func hostReason([]byte) uint32 { return 0 }
