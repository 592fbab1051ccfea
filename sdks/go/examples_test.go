package checkline_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestExamples runs the examples of the README and the documentation against
// the real service.
func TestExamples(t *testing.T) {
	suiteURL(t)
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", folder, "./examples/...")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatal(err, string(output))
	}
	for name, test := range map[string]struct {
		example, key, stdout, stderr string
		status                       int
	}{
		"verify": {example: "verify", stdout: "true Brazil TIM mobile\n"},
		"verify with a wrong key": {
			example: "verify", key: "ch_test_notakey", stderr: "INVALID_API_KEY: The API key is invalid.\n", status: 1,
		},
		"simple": {example: "simple", stdout: "valid: true, carrier: TIM\n"},
		"batch": {
			example: "batch",
			stdout:  "+5511987654321: Brazil\n+12025550109: REJECTED_SUBSCRIBER_ABSENT\n+442079460018: United Kingdom\n",
		},
		"stream": {
			example: "stream",
			stdout: "+5511987654321\n+442079460018\n" +
				"REJECTED_SUBSCRIBER_ABSENT: verification failed: Subscriber absent (code: 9)\n",
		},
		"quota": {example: "quota", stdout: "trial 0 1000\n"},
		"retry": {example: "retry", stdout: "Brazil\n"},
	} {
		test := test
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			example := exec.Command(filepath.Join(folder, test.example))
			if test.key != "" {
				example.Env = append(os.Environ(), "CHECKLINE_API_KEY="+test.key)
			}
			var stdout, stderr bytes.Buffer
			example.Stdout, example.Stderr = &stdout, &stderr
			_ = example.Run()
			if stdout.String() != test.stdout || stderr.String() != test.stderr {
				t.Errorf("%q, %q", stdout.String(), stderr.String())
			}
			if status := example.ProcessState.ExitCode(); status != test.status {
				t.Error("status", status)
			}
		})
	}
}
