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
  return left.equals(bytes) ? file : new Uint8Array(left.buffer, left.byteOffset, left.length);
}

/** The formats, by the text at an offset. */
const FORMATS: readonly { readonly mark: string; readonly at: number; readonly clean: (bytes: Bytes) => Bytes }[] = [
  { mark: '\xFF\xD8\xFF', at: 0, clean: (bytes) => Buffer.concat([...jpegParts(bytes)]) },
  { mark: '\x89PNG\r\n\x1A\n', at: 0, clean: (bytes) => Buffer.concat([...pngParts(bytes)]) },
  { mark: 'WEBP', at: 8, clean: cleanWebp },
  { mark: 'ftyp', at: 4, clean: cleanVideo },
];

/** The first markers of a scan and of a program's segment, and that of a comment and the end. */
const [RESTART, LAST_RESTART, END, SCAN, PROGRAM, LAST_PROGRAM, COMMENT] = [0xd0, 0xd7, 0xd9, 0xda, 0xe0, 0xef, 0xfe] as const;
/** The segments of programs that a picture needs: its header, its color profile and its color space. */
const COLORS: ReadonlyMap<number, string> = new Map([
  [0xe0, ''],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);
const EXIF = 'Exif\0\0';

/** The segments up to the end of the picture. Phones append videos and further pictures, with the place in each. */
function* jpegParts(bytes: Buffer): Generator<Uint8Array> {
  yield bytes.subarray(0, 2);
  for (let at = nextMarker(bytes, 2); at < bytes.length;) {
    const marker = bytes[at + 1] ?? END;
    if (marker === END) return yield bytes.subarray(at, at + 2);
    const content = at + 4;
    const end = at + 2 + uintAt(bytes, at + 2, 2);
    const next = nextMarker(bytes, end);
    const needed = COLORS.get(marker);
    const isOther = marker < PROGRAM || (marker > LAST_PROGRAM && marker !== COMMENT);
    if (marker === SCAN) yield bytes.subarray(at, next);
    else if (isOther || (needed !== undefined && textAt(bytes, content, needed.length) === needed)) yield bytes.subarray(at, end);
    else if (textAt(bytes, content, EXIF.length) === EXIF) {
      const rotation = rotationIn(bytes.subarray(content, end));
      if (rotation) yield* [Buffer.from([0xff, marker, 0, 2 + EXIF.length + rotation.length]), Buffer.from(EXIF), rotation];
    }
    at = next;
  }
}

/** The next marker. Within a scan, `FF 00` is a byte, and restarts belong to the scan. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? END;
    if (marker !== 0 && marker !== 0xff && (marker < RESTART || marker > LAST_RESTART)) return at;
  }
  return bytes.length;
}

const PNG_TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME', 'caBX']);

function* pngParts(bytes: Buffer): Generator<Uint8Array> {
  yield bytes.subarray(0, 8);
  for (let at = 8, type = ''; at < bytes.length && type !== 'IEND';) {
    const end = at + 12 + uintAt(bytes, at, 4);
    type = textAt(bytes, at + 4, 4);
    if (type === 'eXIf') {
      const rotation = rotationIn(bytes.subarray(at + 8, end - 4));
      if (rotation) yield pngChunk(Buffer.concat([Buffer.from(type), rotation]));
    } else if (!PNG_TEXTS.has(type)) yield bytes.subarray(at, end);
    at = end;
  }
}

function pngChunk(content: Buffer): Uint8Array {
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}

/** The flags of a WebP picture for EXIF and XMP. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04] as const;

function cleanWebp(bytes: Bytes): Bytes {
  const chunks: Buffer[] = [];
  let flags = 0;
  const to = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at < to;) {
    const size = uintAt(bytes, at + 4, 4, true);
    const type = textAt(bytes, at, 4);
    const next = at + 8 + size + (size % 2);
    const rotation = type === 'EXIF' ? rotationIn(bytes.subarray(at + 8, next)) : undefined;
    if (rotation) {
      flags = HAS_EXIF;
      chunks.push(Buffer.from([...Buffer.from(type), rotation.length, 0, 0, 0, ...rotation]));
    } else if (type !== 'EXIF' && type !== 'XMP ') chunks.push(Buffer.from(bytes.subarray(at, Math.min(next, to))));
    at = next;
  }
  for (const chunk of chunks) {
    if (textAt(chunk, 0, 4) === 'VP8X') chunk[8] = ((chunk[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | flags;
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...chunks]);
}

const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'moov/udta', 'moov/trak', 'moov/trak/udta']);
/** The boxes with the place. `meta` directly in `moov` is a list of facts from the camera. */
const PLACES = /^moov\/(?:trak\/)?(?:meta|udta\/(?:\xA9xyz|loci|XMP_))$/u;

/** The video, with empty boxes in place of those with the place. The size stays, because other boxes refer to offsets. */
function cleanVideo(bytes: Bytes): Bytes {
  const boxes = [...placesIn(bytes, { from: 0, to: bytes.length, parent: '' })];
  if (boxes.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  for (const { at, content, end } of boxes) {
    copy.write('free', at + 4, 'latin1');
    copy.fill(0, content, end);
  }
  return copy;
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
    const name = parent + textAt(bytes, at + 4, 4);
    if (PLACES.test(name)) yield { at, content, end };
    else if (CONTAINERS.has(name)) yield* placesIn(bytes, { from: content, to: end, parent: `${name}/` });
    at = end;
  }
}

const [ROTATION, ROTATIONS] = [0x0112, 8] as const;

/** Exif data with only the rotation; undefined if the picture is upright. */
function rotationIn(content: Buffer): Buffer | undefined {
  const exif = textAt(content, 0, EXIF.length) === EXIF ? content.subarray(EXIF.length) : content;
  const isLittle = textAt(exif, 0, 2) === 'II';
  const directory = uintAt(exif, 4, 4, isLittle);
  const entries = uintAt(exif, directory, 2, isLittle);
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + index * 12;
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
