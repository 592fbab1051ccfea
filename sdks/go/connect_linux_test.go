package checkline

import (
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"
)

// With a full accept queue, Linux answers no further connection.
func TestConnectingTimesOut(t *testing.T) {
	full, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(full)
	if err := syscall.Bind(full, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(full, 0); err != nil {
		t.Fatal(err)
	}
	bound, err := syscall.Getsockname(full)
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", bound.(*syscall.SockaddrInet4).Port)
	for range [3]struct{}{} {
		if waiting, err := net.DialTimeout("tcp", address, 100*time.Millisecond); err == nil {
			defer waiting.Close()
		}
	}
	expectTimeout(t, WithBaseURL("http://"+address), WithConnectTimeout(200*time.Millisecond))
}
