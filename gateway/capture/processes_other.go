//go:build !linux

package capture

func descendants(int, map[numbered]bool) ([]numbered, bool) { return nil, false }

func environOf(int) ([]string, bool) { return nil, false }

func commandOf(int) string { return "?" }

func inRun(string, []numbered) []numbered { return nil }

func listening([]numbered) map[int]bool { return nil }
