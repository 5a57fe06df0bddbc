package wazero_test

import (
	"testing"
	"fmt"
	"time"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/wazero"
)

func TestTmpExit(t *testing.T) {
	r := runtime(t)
	src := scoreByFree + `
__attribute__((import_module("wasi_snapshot_preview1"), import_name("proc_exit"))) void bye(int);
void EXPORT(_initialize)(void) { bye(0); }
POINT(node_score) { EACH(i) out[idx[i]] = 1; return 0; }`
	_, err := r.Load(t.Context(), "m", compile(t, src), wazero.Limits{})
	fmt.Println(err)
}

func TestTmpGood(t *testing.T) {
	m, err := runtime(t).Load(t.Context(), "m", goodFile().bytes(), wazero.Limits{})
	fmt.Println(len(goodFile().bytes()), m, err)
}

func TestTmpSlow(t *testing.T) {
	for name, src := range map[string]string{
	"chase": scoreByFree + `
static u32 *p; 
u32 EXPORT(quern_dictionary)(u32 a, u32 b) { return 0; }
POINT(node_score) { 
  u32 at = 0x100000, x = 1; 
  if (__builtin_wasm_memory_size(0) < 256) __builtin_wasm_memory_grow(0, 256 - __builtin_wasm_memory_size(0));
  for (;;) { 
#define S at = *(volatile u32*)(0x200000 + (((at*1664525+1013904223) & 0xbfffff) & ~7u)) + at*1664525 + 12345;
#define S4 S S S S 
  S4 S4 S4 S4 S4 S4 S4 S4 }
  }`,
	"chaseplain": scoreByFree + `
#define N 3000000
POINT(node_score) { 
  if (__builtin_wasm_memory_size(0) < 256) __builtin_wasm_memory_grow(0, 256 - __builtin_wasm_memory_size(0));
  u32 at = 0x200000;
  for (;;) { 
#define S at = *(volatile u32*)(at);at += 4096+64; if (at > 0xf00000) at -= 0xd00000;
#define S4 S S S S 
  S4 S4 S4 S4 S4 S4 S4 S4 }
  }`,
	"divs": scoreByFree + `POINT(node_score) { unsigned long long x = (u64)f | 0xf234567812345678ull, y = 3;
for (;;) { 
#define S asm volatile("local.get %1\nlocal.get %2\ni64.div_u\nlocal.set %0":"=r"(y):"r"(x),"r"(y));
y |= 1; 
S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S 
 } }`,
	"sqrt": scoreByFree + `POINT(node_score) { double x = (double)(u32)f; 
for (;;) { 
#define Q asm volatile("local.get %1\nf64.sqrt\nlocal.set %0":"=r"(x):"r"(x));
Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q Q 
 } }`,
	"copy": scoreByFree + `POINT(node_score) { 
  if (__builtin_wasm_memory_size(0) < 256) __builtin_wasm_memory_grow(0, 256 - __builtin_wasm_memory_size(0));
  for (;;) __builtin_memmove((char*)0x200000, (char*)0x900001, 0x600000); }`,
	"copysmall": scoreByFree + `POINT(node_score) { 
  for (;;) { __builtin_memmove((char*)0x10000, (char*)0x10101, h()); }}
  `,
	"fill": scoreByFree + `POINT(node_score) { 
  if (__builtin_wasm_memory_size(0) < 256) __builtin_wasm_memory_grow(0, 256 - __builtin_wasm_memory_size(0));
  for (;;) __builtin_memset((char*)0x200000, 1, 0xd00000); }`,
	"loop": scoreByFree + `POINT(node_score) { for (;;) asm volatile(""); }`,
	"log": scoreByFree + `__attribute__((import_module("quern"), import_name("log"))) void say(int,int,int);
	POINT(node_score) { for (;;) say(1,0,0); }`,
	"log500": scoreByFree + `__attribute__((import_module("quern"), import_name("log"))) void say(int,int,int);
	POINT(node_score) { for (;;) say(1,0,500); }`,
	"touch": scoreByFree + `POINT(node_score) { 
  if (__builtin_wasm_memory_size(0) < 256) __builtin_wasm_memory_grow(0, 256 - __builtin_wasm_memory_size(0));
  for (;;) for (u32 a = 0x100000; a < 0x1000000; a += 4096) *(volatile u32*)a = 1; }`,
	} {
		if name == "copysmall" { src = scoreByFree + `static volatile u32 n = 1; POINT(node_score) { for (;;) __builtin_memmove((char*)0x10000, (char*)0x10101, n); }` }
		m, err := runtime(t).Load(t.Context(), "m", compile(t, src), wazero.Limits{})
		if err != nil { fmt.Println(name, err); continue }
		spec := points(t, m)[policy.NodeScore]
		for range 3 {
		for _, rows := range []int{1, 1000, 2048} {
		in, err := m.Instance(t.Context(), []byte("{}"))
		if err != nil { t.Fatal(err) }
		b := &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, rows), Cols: [][]float64{make([]float64, rows)}}
		for i := range rows { b.Rows = append(b.Rows, int32(i)) }
		b.Changed = b.Rows
		start := time.Now()
		err = in.Eval(b)
		fmt.Printf("%-12s %5d %10v %v\n", name, rows, time.Since(start), err)
		in.Close()
		}
		}
	}
}
