// Kernels for tests and benchmarks: each (n) -> i32.
// /usr/bin/rustc --target wasm32-unknown-unknown -C opt-level=2 -C panic=abort -C link-arg=-s --crate-type cdylib kernels.rs
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

static mut KEYS: [u32; 1024] = [0; 1024];

#[no_mangle]
pub extern "C" fn rust_sort(n: u32) -> u32 {
    let keys = unsafe { &mut KEYS[..(n as usize).min(1024)] };
    let mut x = 2463534242u32;
    for k in keys.iter_mut() {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        *k = x;
    }
    keys.sort_unstable();
    keys.first().copied().unwrap_or(0)
}

#[no_mangle]
pub extern "C" fn rust_index(n: u32) -> u32 {
    let keys = unsafe { &KEYS };
    keys[n as usize]
}

#[no_mangle]
pub extern "C" fn rust_score(n: u32) -> f64 {
    let keys = unsafe { &KEYS };
    (0..n).map(|i| keys[(i & 1023) as usize] as f64 / (i + 1) as f64).fold(0.0, f64::max)
}
