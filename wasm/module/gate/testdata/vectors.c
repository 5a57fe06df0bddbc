// Vector kernels for tests: each (n) -> i32.
// clang --target=wasm32 -nostdlib -O3 -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -c vectors.c -o vectors.o
// wasm-ld --no-entry --stack-first --export-dynamic --strip-all vectors.o -o vectors.wasm
#include <wasm_simd128.h>
#define EXPORT __attribute__((visibility("default")))

static float floats[1024];
static signed char bytes[1024];
static short shorts[1024];
static double doubles[512];

EXPORT int vector_sum(int n) {
	int total = 0;
	for (int i = 0; i < 1024; i++) {
		floats[i] = (float)(i * n) / 3;
		bytes[i] = (signed char)(i ^ n);
		shorts[i] = (short)(i * 7 - n);
	}
	for (int i = 0; i < 1024; i++)
		total += bytes[i] * shorts[i] + (int)floats[i];
	return total;
}

EXPORT int vector_mixed(int n) {
	v128_t a = wasm_i32x4_make(n, n + 1, n + 2, n + 3), b = wasm_f64x2_splat(n * 0.5);
	for (int i = 0; i < 64; i++) {
		a = wasm_i8x16_shuffle(a, wasm_i32x4_mul(a, a), 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31);
		a = wasm_i8x16_swizzle(a, wasm_i8x16_const(15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
		b = wasm_f64x2_add(wasm_f64x2_sqrt(b), wasm_f64x2_convert_low_i32x4(a));
		a = wasm_i16x8_add_sat(a, wasm_i32x4_trunc_sat_f64x2_zero(b));
		a = wasm_v128_load32_lane(&floats[i], a, 2);
		wasm_v128_store64_lane(&doubles[i], a, 1);
		a = wasm_v128_bitselect(a, wasm_i64x2_extmul_low_i32x4(a, b), wasm_i8x16_popcnt(b));
		a = wasm_v128_xor(a, wasm_v128_load8_splat(&bytes[i]));
		a = wasm_i32x4_add(a, wasm_i32x4_dot_i16x8(a, wasm_i16x8_load8x8(&bytes[i * 8])));
	}
	return wasm_i32x4_extract_lane(a, 0) ^ wasm_i32x4_extract_lane(a, 3) ^ (int)wasm_i8x16_bitmask(a);
}
