//! Compressed streams are unpacked while they are read: gzip, bzip2, xz and zstd, also when several
//! were put one behind the other. Their checksums are verified, and a stream that is cut off is an
//! error, so that no game is lost without a word.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Read};

/// How a stream is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// RFC 1952.
    Gzip,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// RFC 8878.
    Zstd,
}

/// Memory that an xz stream may ask for, in KiB: its largest preset needs 65 MiB.
const XZ_MEMORY: u32 = 256 << 10;

impl Packing {
    /// How a stream that begins with `head` is compressed; `None`: not at all.
    pub fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(Packing::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Xz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// As the ending of such files is called.
    pub const fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
            Packing::Zstd => "zstd",
        }
    }

    /// What `input` holds, unpacked.
    pub fn unpack(self, input: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        let unpacked: Box<dyn Read + Send> = match self {
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
            Packing::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(
                BufReader::new(input),
                true,
                XZ_MEMORY,
            )),
            Packing::Zstd => Box::new(Zstd {
                input: BufReader::new(input),
                decoder: FrameDecoder::new(),
                in_frame: false,
            }),
        };
        Box::new(Named {
            packing: self,
            unpacked,
        })
    }
}

/// Says in errors what was being unpacked.
struct Named {
    packing: Packing,
    unpacked: Box<dyn Read + Send>,
}

impl Read for Named {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.unpacked
            .read(into)
            .map_err(|error| match error.kind() {
                io::ErrorKind::Interrupted => error,
                kind => {
                    let name = self.packing.name();
                    let message = format!("the {name} data is damaged or cut off ({error})");
                    io::Error::new(kind, message)
                }
            })
    }
}

/// Frames of zstd, one behind the other.
struct Zstd<R> {
    input: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    /// Begins the next frame; `false`: there is none.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.input) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut (&mut self.input).take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame && !self.begin()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(io::Error::other)?;
            }
            let got = self.decoder.read(into)?;
            if got > 0 || into.is_empty() {
                return Ok(got);
            }
            let told = self.decoder.get_checksum_from_data();
            if told.is_some() && told != self.decoder.get_calculated_checksum() {
                return Err(io::Error::other("its checksum is wrong"));
            }
            self.in_frame = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f5d6c3d3c4\n` packed by gzip, bzip2, xz and zstd themselves.
    const PACKED: [(&str, &str); 4] = [
        (
            "gzip",
            "1f8b08000000000000034b334d314b364e314e36e1020090e4e3b80b000000",
        ),
        (
            "bzip2",
            "425a68393141592653599b661556000005490000100f000d002000310c081a3436a3910c883c5dc914e142426d985558",
        ),
        (
            "xz",
            "fd377a585a000004e6d6b4460200210116000000742fe5a301000a663564366333643363340a000080f98c3b96fcfdce0001230bc21bfd091fb6f37d010000000004595a",
        ),
        ("zstd", "28b52ffd0458590000663564366333643363340abdae182f"),
    ];

    fn bytes(hex: &str) -> Vec<u8> {
        let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(digit).collect()
    }

    fn unpacked(packed: Vec<u8>) -> io::Result<Vec<u8>> {
        let packing = Packing::of(&packed).expect("it is packed");
        let mut plain = Vec::new();
        packing
            .unpack(Box::new(io::Cursor::new(packed)))
            .read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn what_other_programs_packed_comes_out() {
        for (name, hex) in PACKED {
            let packed = bytes(hex);
            assert_eq!(Packing::of(&packed).unwrap().name(), name);
            assert_eq!(unpacked(packed.clone()).unwrap(), b"f5d6c3d3c4\n", "{name}");
            let twice = [packed.clone(), packed].concat();
            assert_eq!(
                unpacked(twice).unwrap(),
                b"f5d6c3d3c4\nf5d6c3d3c4\n",
                "{name}"
            );
        }
    }

    #[test]
    fn cut_and_damaged_streams_are_errors() {
        for (name, hex) in PACKED {
            let packed = bytes(hex);
            for length in 8..packed.len() {
                let error = unpacked(packed[..length].to_vec());
                let error = error.expect_err(&format!("{name} {length}")).to_string();
                assert!(error.contains(&format!("the {name} data is damaged or cut off")));
            }
            // The last bytes are checksums, or what follows them.
            let mut changed = 0;
            for at in 8..packed.len() {
                let mut damaged = packed.clone();
                damaged[at] ^= 0x10;
                match unpacked(damaged) {
                    Ok(plain) => assert_eq!(plain, b"f5d6c3d3c4\n", "{name} {at}"),
                    Err(_) => changed += 1,
                }
            }
            assert!(changed > 8, "{name}: {changed}");
        }
    }
}
