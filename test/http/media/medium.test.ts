import sharp from 'sharp';
import { expect, test } from 'vitest';
import { inspectMedia, sizeText } from '#src/http/media/medium.ts';

test.for([
  [1, 40, 20],
  [4, 40, 20],
  // Orientations from 5 on swap width and height.
  [5, 20, 40],
  [8, 20, 40],
] as const)('a picture with orientation %i is %i pixels wide and %i high', async ([orientation, width, height]) => {
  const content = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();

  expect(await inspectMedia(content)).toEqual({ type: 'image/jpeg', kind: 'image', extension: 'jpg', width, height });
});

const MIB = 1024 * 1024;

test.for([
  [0, '0 KiB'],
  [1_536, '2 KiB'],
  [MIB - 1, '1024 KiB'],
  [MIB, '1 MiB'],
  [1.25 * MIB, '1.3 MiB'],
  [9.9 * MIB, '9.9 MiB'],
  [10.4 * MIB, '10 MiB'],
  [10.6 * MIB, '11 MiB'],
  [512 * MIB, '512 MiB'],
] as const)('%d bytes are %s', ([bytes, text]) => {
  expect(sizeText(bytes)).toBe(text);
});
