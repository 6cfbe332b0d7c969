//! Sorted keys and small numbers in few bytes.
//!
//! Idea: sorted keys are delta-coded, with seven bits of each difference a byte, the lowest first;
//! the high bit says that more follow. Numbers below a power of two take that many bits each, and
//! nothing if all are 0.

use crate::disk::key::Key;

/// Appends keys, which ascend.
pub(crate) fn write_keys<K: Key>(keys: &[K], out: &mut Vec<u8>) {
    let mut last = 0;
    for key in keys {
        let key = key.wide();
        let mut rest = key - last;
        last = key;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }
}

/// Appends `count` keys from these bytes; `None` if the bytes are not exactly that.
pub(crate) fn read_keys<K: Key>(bytes: &[u8], count: u64, out: &mut Vec<K>) -> Option<()> {
    // A key is a byte at least.
    if count > bytes.len() as u64 {
        return None;
    }
    out.reserve(count as usize);
    let mut bytes = bytes.iter();
    let mut last = 0_u128;
    for _ in 0..count {
        let mut difference = 0;
        let mut shift = 0;
        loop {
            let byte = bytes.next()?;
            if shift < 64 {
                // Of keys of 64 bits, these are all bits.
                let low = u64::from(byte & 0x7f);
                difference |= u128::from(low) << shift;
            } else {
                difference |= u128::from(byte & 0x7f).checked_shl(shift)?;
            }
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
        }
        last = last.checked_add(difference)?;
        out.push(K::from_wide(last));
    }
    bytes.next().is_none().then_some(())
}

/// Appends the bits that a number takes, and then numbers in as many each.
pub(crate) fn write_numbers(numbers: &[u32], out: &mut Vec<u8>) {
    let most = numbers.iter().copied().max().unwrap_or(0);
    let bits = match u32::BITS - most.leading_zeros() {
        0 => 0,
        // No number lies across two bytes.
        bits => bits.next_power_of_two(),
    };
    out.push(bits as u8);
    match bits {
        0 => {}
        8.. => {
            let bytes = bits as usize / 8;
            let numbers = numbers.iter().map(|number| number.to_le_bytes());
            out.extend(numbers.flat_map(|number| number.into_iter().take(bytes)));
        }
        _ => out.extend(numbers.chunks(8 / bits as usize).map(|chunk| {
            let shifted = chunk.iter().enumerate();
            shifted.fold(0, |byte, (i, number)| {
                byte | (*number as u8) << (i as u32 * bits)
            })
        })),
    }
}

/// Appends `count` numbers from these bytes; `None` if the bytes are not exactly that.
pub(crate) fn read_numbers(bytes: &[u8], count: u64, out: &mut Vec<u32>) -> Option<()> {
    let (&bits, bytes) = bytes.split_first()?;
    let count = usize::try_from(count).ok()?;
    let length = match bits {
        0 => 0,
        1 | 2 | 4 => count.div_ceil(8 / usize::from(bits)),
        8 | 16 | 32 => count.checked_mul(usize::from(bits) / 8)?,
        _ => return None,
    };
    if bytes.len() != length {
        return None;
    }
    match bits {
        0 => out.resize(out.len() + count, 0),
        8.. => out.extend(bytes.chunks_exact(usize::from(bits) / 8).map(|chunk| {
            let mut number = [0; 4];
            number[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(number)
        })),
        _ => {
            let (each, mask) = (8 / usize::from(bits), (1 << bits) - 1);
            out.extend(
                (0..count)
                    .map(|i| u32::from(bytes[i / each] >> (i % each * usize::from(bits)) & mask)),
            );
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back() {
        let narrow = [0, 1, 127, 128, 300, 1 << 40, u64::MAX];
        let mut bytes = Vec::new();
        write_keys(&narrow, &mut bytes);
        let mut back: Vec<u64> = Vec::new();
        assert_eq!(read_keys(&bytes, 7, &mut back), Some(()));
        assert_eq!(back, narrow);
        let wide = [3, 1 << 64, 1 << 100, u128::MAX];
        bytes.clear();
        write_keys(&wide, &mut bytes);
        let mut back: Vec<u128> = Vec::new();
        assert_eq!(read_keys(&bytes, 4, &mut back), Some(()));
        assert_eq!(back, wide);
        for short in 0..bytes.len() {
            assert_eq!(read_keys::<u128>(&bytes[..short], 4, &mut Vec::new()), None);
        }
        assert_eq!(read_keys::<u128>(&[0xff; 40], 1, &mut Vec::new()), None);
        assert_eq!(read_keys::<u64>(&[0; 2], u64::MAX, &mut Vec::new()), None);
    }

    #[test]
    fn numbers_come_back() {
        for most in [0, 1, 2, 3, 4, 15, 16, 255, 256, 65_535, 65_536, u32::MAX] {
            for count in 0..20_u32 {
                let numbers: Vec<u32> = (0..count).map(|i| most / (i + 1)).collect();
                let mut bytes = Vec::new();
                write_numbers(&numbers, &mut bytes);
                let mut back = Vec::new();
                let read = read_numbers(&bytes, u64::from(count), &mut back);
                assert_eq!((read, back), (Some(()), numbers));
                bytes.push(0);
                assert_eq!(read_numbers(&bytes, count.into(), &mut Vec::new()), None);
            }
        }
        assert_eq!(read_numbers(&[], 0, &mut Vec::new()), None);
        assert_eq!(read_numbers(&[3, 0], 1, &mut Vec::new()), None);
    }
}
