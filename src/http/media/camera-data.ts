import { crc32 } from 'node:zlib';

type Bytes = Buffer<ArrayBuffer>;

/**
 * A file without the place, time, device and texts that cameras and editors store in JPEG, PNG and WebP pictures, and without the place in
 * MP4 and MOV videos. Pixels, colors and the rotation stay. Other files stay unchanged.
 */
export function withoutCameraData(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const format = FORMATS.find(({ mark, at }) => textAt(bytes, at, mark.length) === mark);
  const left = format?.clean(bytes) ?? bytes;
  return left === bytes ? file : new Uint8Array(left.buffer, left.byteOffset, left.length);
}

/** The formats, by the text at an offset. */
const FORMATS: readonly { readonly mark: string; readonly at: number; readonly clean: (bytes: Bytes) => Bytes }[] = [
  { mark: '\xFF\xD8\xFF', at: 0, clean: (bytes) => without(bytes, removedFromJpeg(bytes)) },
  { mark: '\x89PNG\r\n\x1A\n', at: 0, clean: (bytes) => without(bytes, removedFromPng(bytes)) },
  { mark: 'WEBP', at: 8, clean: cleanWebp },
  { mark: 'ftyp', at: 4, clean: cleanVideo },
];

interface Removed {
  readonly from: number;
  readonly to: number;
  /** The rotation in its place; at most one in a file. */
  readonly rotation?: Buffer | undefined;
}

/** More than the size of a part with the rotation. */
const ROTATION_ROOM = 64;

/** The file without some parts; the file itself if there are none. It holds no list of parts, because a hostile file has millions of them. */
function without(bytes: Bytes, parts: Iterable<Removed>): Bytes {
  let left: Bytes | undefined;
  let [length, at] = [0, 0];
  for (const { from, to, rotation } of parts) {
    left ??= Buffer.alloc(bytes.length + ROTATION_ROOM);
    length += bytes.copy(left, length, at, from);
    length += rotation?.copy(left, length) ?? 0;
    at = to;
  }
  return left ? left.subarray(0, length + bytes.copy(left, length, at)) : bytes;
}

/** The first markers of a scan and of a program's segment, and that of a comment and the end. */
const [RESTART, LAST_RESTART, END, SCAN, PROGRAM, LAST_PROGRAM, COMMENT] = [0xd0, 0xd7, 0xd9, 0xda, 0xe0, 0xef, 0xfe] as const;
/** The segments of programs that a picture needs: its header, its color profile and its color space. */
const COLORS: ReadonlyMap<number, string> = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);
const EXIF = 'Exif\0\0';

/** Also all bytes behind the end of the picture: phones append videos and further pictures, with the place in each. */
function* removedFromJpeg(bytes: Bytes): Generator<Removed> {
  let hasRotation = false;
  for (let at = 2; at < bytes.length;) {
    const from = nextMarker(bytes, at);
    if (from > at) yield { from: at, to: from };
    const marker = bytes[from + 1] ?? END;
    if (marker === END) {
      if (from + 2 < bytes.length) yield { from: from + 2, to: bytes.length };
      return;
    }
    const content = from + 4;
    const to = Math.min(from + 2 + uintAt(bytes, from + 2, 2), bytes.length);
    at = marker === SCAN ? nextMarker(bytes, to) : to;
    const needed = COLORS.get(marker);
    const isOther = marker < PROGRAM || (marker > LAST_PROGRAM && marker !== COMMENT);
    if (isOther || (needed !== undefined && textAt(bytes, content, needed.length) === needed)) continue;
    const exif: Buffer | undefined =
      hasRotation || textAt(bytes, content, EXIF.length) !== EXIF ? undefined : rotationIn(bytes.subarray(content, to));
    hasRotation ||= exif !== undefined;
    const head = exif && Buffer.from([0xff, marker, 0, 2 + EXIF.length + exif.length]);
    yield { from, to, rotation: exif && head && Buffer.concat([head, Buffer.from(EXIF), exif]) };
  }
}

/** The next marker. Within a scan, `FF 00` is a byte, and restarts belong to the scan. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const marker = bytes[at + 1] ?? END;
    if (marker !== 0 && marker !== 0xff && (marker < RESTART || marker > LAST_RESTART)) return at;
  }
  return bytes.length;
}

const PNG_TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME', 'caBX', 'eXIf']);

function* removedFromPng(bytes: Bytes): Generator<Removed> {
  let hasRotation = false;
  let at = 8;
  for (let type = ''; at < bytes.length && type !== 'IEND';) {
    const from = at;
    at = Math.min(from + 12 + uintAt(bytes, from, 4), bytes.length);
    type = textAt(bytes, from + 4, 4);
    if (!PNG_TEXTS.has(type)) continue;
    const exif: Buffer | undefined = hasRotation || type !== 'eXIf' ? undefined : rotationIn(bytes.subarray(from + 8, at - 4));
    hasRotation ||= exif !== undefined;
    yield { from, to: at, rotation: exif && pngChunk(Buffer.concat([Buffer.from(type), exif])) };
  }
  if (at < bytes.length) yield { from: at, to: bytes.length };
}

function pngChunk(content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}

/** The chunks of a WebP picture with its pixels, its colors and its list of chunks. */
const WEBP_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** The offsets of the first chunk and of its flags, and the flags for EXIF and XMP. */
const [FIRST_CHUNK, FLAGS, HAS_EXIF, HAS_XMP] = [12, 20, 0x08, 0x04] as const;

function cleanWebp(bytes: Bytes): Bytes {
  let flags = 0;
  function* removed(): Generator<Removed> {
    for (let at: number = FIRST_CHUNK; at < bytes.length;) {
      const from = at;
      const size = uintAt(bytes, from + 4, 4, true);
      const type = textAt(bytes, from, 4);
      at = Math.min(from + 8 + size + (size % 2), bytes.length);
      if (WEBP_CHUNKS.has(type)) continue;
      const exif = flags || type !== 'EXIF' ? undefined : rotationIn(bytes.subarray(from + 8, at));
      if (exif) flags = HAS_EXIF;
      yield { from, to: at, rotation: exif && Buffer.from([...Buffer.from(type), exif.length, 0, 0, 0, ...exif]) };
    }
  }
  const left = without(bytes, removed());
  if (left === bytes) return bytes;
  left.writeUInt32LE(left.length - 8, 4);
  if (textAt(left, FIRST_CHUNK, 4) === 'VP8X') left[FLAGS] = ((left[FLAGS] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | flags;
  return left;
}

const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'moov/udta', 'moov/trak', 'moov/trak/udta']);
/** The boxes with the place. `meta` directly in `moov` is a list of facts from the camera, and a `uuid` box has a name of 16 bytes. */
const PLACES =
  /^(?:moov\/(?:trak\/)?(?:meta|udta\/(?:\xA9xyz|loci|XMP_))|uuid\xBE\x7A\xCF\xCB\x97\xA9\x42\xE8\x9C\x71\x99\x94\x91\xE3\xAF\xAC)$/u;
/** Here, programs store the title, and some of them copy the place from the facts of the camera. */
const FACTS = /^moov\/(?:trak\/)?udta\/meta$/u;
const PLACE_FACTS = ['com.apple.quicktime.location', '\xA9xyz'].map((fact) => Buffer.from(fact, 'latin1'));

/** The video, with empty boxes in place of those with the place. The size stays, because other boxes refer to offsets. */
function cleanVideo(bytes: Bytes): Bytes {
  let left = bytes;
  for (const { at, content, end } of placesIn(bytes, { from: 0, to: bytes.length, parent: '' })) {
    if (left === bytes) left = Buffer.from(bytes);
    left.write('free', at + 4, 'latin1');
    left.fill(0, content, end);
  }
  return left;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly parent: string;
}

function* placesIn(
  bytes: Buffer,
  { from, to, parent }: Stretch,
): Generator<{ readonly at: number; readonly content: number; readonly end: number }> {
  for (let at = from; at + 8 <= to;) {
    const short = uintAt(bytes, at, 4);
    // A size of 1 stands before the real one, and a box of size 0 is the last one.
    const content = at + (short === 1 ? 16 : 8);
    const size = short === 1 ? uintAt(bytes, at + 8, 4) * 2 ** 32 + uintAt(bytes, at + 12, 4) : short;
    const end = size === 0 ? to : Math.min(to, at + size);
    if (end < content) return;
    const type = textAt(bytes, at + 4, 4);
    const name = parent + type + (type === 'uuid' ? textAt(bytes, content, 16) : '');
    if (PLACES.test(name) || (FACTS.test(name) && hasPlace(bytes.subarray(content, end)))) yield { at, content, end };
    else if (CONTAINERS.has(name)) yield* placesIn(bytes, { from: content, to: end, parent: `${name}/` });
    at = end;
  }
}

function hasPlace(facts: Buffer): boolean {
  return PLACE_FACTS.some((fact) => facts.includes(fact));
}

const [ROTATION, ROTATIONS] = [0x0112, 8] as const;

/** Exif data with only the rotation; undefined if the picture is upright. */
function rotationIn(content: Buffer): Buffer | undefined {
  const exif = textAt(content, 0, EXIF.length) === EXIF ? content.subarray(EXIF.length) : content;
  const isLittle = textAt(exif, 0, 2) === 'II';
  const directory = uintAt(exif, 4, 4, isLittle);
  const end = Math.min(exif.length, directory + 2 + uintAt(exif, directory, 2, isLittle) * 12);
  for (let at = directory + 2; at < end; at += 12) {
    if (uintAt(exif, at, 2, isLittle) !== ROTATION) continue;
    const rotation = uintAt(exif, at + 8, 2, isLittle);
    if (rotation < 2 || rotation > ROTATIONS) return undefined;
    return Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, rotation, 0, 0, 0, 0, 0, 0]);
  }
  return undefined;
}

/** A whole number; 0 behind the end of a damaged file. */
function uintAt(bytes: Buffer, at: number, size: 2 | 4, isLittle = false): number {
  if (at + size > bytes.length) return 0;
  return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length);
}
