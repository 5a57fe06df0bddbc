package decay

// The tables have 128 bits after the point. The first entry of the first two is 1, as near as a fraction comes to it. A test computes them again.

// sixteenths[i] is 2^-(i/16).
var sixteenths = [...]fraction{
	{0xffffffffffffffff, 0xffffffffffffffff},
	{0xf5257d152486cc2c, 0x7b9d0c7aed980fc3},
	{0xeac0c6e7dd24392e, 0xd02d75b3706e54fa},
	{0xe0ccdeec2a94e111, 0x065895048dd333ca},
	{0xd744fccad69d6af4, 0x39a68bb9902d3fde},
	{0xce248c151f8480e3, 0xe235838f95f2c6ed},
	{0xc5672a115506dadd, 0x3e2ad0c964dd9f37},
	{0xbd08a39f580c36be, 0xa8811fb66d0faf7a},
	{0xb504f333f9de6484, 0x597d89b3754abe9f},
	{0xad583eea42a14ac6, 0x4980a8c8f59a2ec4},
	{0xa5fed6a9b15138ea, 0x1cbd7f621710701b},
	{0x9ef5326091a111ad, 0xa0911f09ebb9fdd1},
	{0x9837f0518db8a96f, 0x46ad23182e42f6f6},
	{0x91c3d373ab11c336, 0x0fd6d8e0ae5ac9d8},
	{0x8b95c1e3ea8bd6e6, 0xfbe4628758a53c90},
	{0x85aac367cc487b14, 0xc5c95b8c2154c1b2},
}

// parts[i] is 2^-(i/256).
var parts = [...]fraction{
	{0xffffffffffffffff, 0xffffffffffffffff},
	{0xff4ecb59511ec8a5, 0x301ba217ef18dd7c},
	{0xfe9e115c7b8f884b, 0xadd25995e79d2f09},
	{0xfdedd1b496a89f34, 0xc46757b38a53619a},
	{0xfd3e0c0cf486c174, 0x853f3a5931e0ee03},
	{0xfc8ec01121e447bb, 0x455d621825da76cd},
	{0xfbdfed6ce5f09c48, 0x9da5ff395ecae2e7},
	{0xfb3193cc4227c3f4, 0x6f66a72687c5c9a9},
	{0xfa83b2db722a033a, 0x7c25bb14315d7fcc},
	{0xf9d64a46eb939f35, 0x2d2e093e4110a050},
	{0xf92959bb5dd4ba74, 0x34b7e1b1c86a6356},
	{0xf87ce0e5b2094d9b, 0xbff35cfc575603f7},
	{0xf7d0df730ad13bb8, 0xfe90d496d60fb6ea},
	{0xf7255510c4288238, 0xd1b490ead1a26391},
	{0xf67a416c733f846d, 0x81897dca4e77a310},
	{0xf5cfa433e6537290, 0x65e4527c9e33781d},
}

// terms[i] is ln(2)^n/n! for n = i+1, a coefficient of the series of 2^-x.
var terms = [...]fraction{
	{0xb17217f7d1cf79ab, 0xc9e3b39803f2f6af},
	{0x3d7f7bff058b1d50, 0xde2d60dd92e6bf95},
	{0x0e35846b82505fc5, 0x99d3b15d995e96f7},
	{0x0276556df749cee5, 0x39977c16a7dd58a0},
	{0x005761ff9e299cc4, 0x41c5fda69452fb0c},
	{0x000a184897c363c3, 0xb7a58544c3591a0f},
	{0x0000ffe5fe2c4586, 0x34358a8e643ec734},
	{0x0000162c0223a5c8, 0x23fd8ffe606da77c},
	{0x000001b5253d395e, 0x7c3da4a70e5a4ff9},
	{0x0000001e4cf5158b, 0x8ec9f6fda1d952e7},
	{0x00000001e8cac735, 0x1bb24c0f57995e47},
}
