// Kernels for tests and benchmarks: each (n) -> i32, pure, over the arena below.
// clang --target=wasm32 -nostdlib -O2 -mbulk-memory -c kernels.c -o kernels.o
// wasm-ld --no-entry --stack-first --export-dynamic kernels.o -o kernels.wasm
#define EXPORT __attribute__((visibility("default")))
typedef unsigned int u32;
typedef unsigned long long u64;

#define NODES 4096
static double column[4][NODES];
static double answers[NODES];
static u32 table[1024];
static char text[1 << 16];

EXPORT int score(int n) {
	for (int i = 0; i < n; i++) {
		int k = i & (NODES - 1);
		double worst = 0;
		for (int t = 0; t < 4; t++) {
			double share = (column[t][k] + i) / (double)(t + 7);
			if (share > worst)
				worst = share;
		}
		answers[k] = 1.0 - worst;
		column[i & 3][k] += 0.5;
	}
	return (int)answers[(n - 1) & (NODES - 1)];
}

EXPORT int sieve(int n) {
	n &= (1 << 16) - 1;
	for (int i = 0; i < n; i++)
		text[i] = 1;
	int primes = 0;
	for (int i = 2; i < n; i++) {
		if (!text[i])
			continue;
		primes++;
		for (int j = i + i; j < n; j += i)
			text[j] = 0;
	}
	return primes;
}

EXPORT int hash(int n) {
	u32 h = 2166136261u;
	for (int i = 0; i < n; i++)
		h = (h ^ (u32)text[i & 0xffff]) * 16777619u;
	return (int)h;
}

EXPORT int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int less(u32 a, u32 b) { return a < b; }
static int more(u32 a, u32 b) { return a > b; }
static int (*volatile orders[2])(u32, u32) = {less, more};

EXPORT int sort(int n) {
	n &= 1023;
	u64 x = 88172645463325252ull;
	for (int i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		table[i] = (u32)x;
	}
	int (*order)(u32, u32) = orders[n & 1];
	for (int i = 1; i < n; i++) {
		u32 v = table[i];
		int j = i;
		for (; j > 0 && order(v, table[j - 1]); j--)
			table[j] = table[j - 1];
		table[j] = v;
	}
	return (int)table[0];
}

EXPORT int fill(int n) {
	__builtin_memset(text, n, sizeof text / 2);
	__builtin_memcpy(text + 40000, text, (u32)n & 0x3fff);
	return text[40000];
}

EXPORT int dispatch(int n) {
	int a = 1;
	for (int i = 0; i < n; i++) {
		switch ((a ^ i) & 7) {
		case 0: a += 3; break;
		case 1: a *= 5; break;
		case 2: a ^= 0x55; break;
		case 3: a -= i; break;
		case 4: a = a << 1 | 1; break;
		case 5: a >>= 2; break;
		case 6: a = ~a; break;
		default: a += i * 7;
		}
	}
	return a;
}

EXPORT int divide(int n) {
	int a = 1 << 30;
	for (int i = n; i > -3; i--)
		a = a / i + 77777;
	return a;
}
