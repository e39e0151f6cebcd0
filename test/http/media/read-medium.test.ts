import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { ValidationError } from '#src/errors.ts';
import type { MediaLimits } from '#src/http/media/medium.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LIMITS: MediaLimits = {
  platform: 'test',
  types: ['image/png', 'image/jpeg', 'image/gif', 'video/mp4'],
  mostBytes: { image: 200_000, gif: 60_000, video: 1_000 },
  longestSide: 2_000,
};
const PLAIN = { create: { width: 40, height: 20, channels: 3, background: 'teal' } } as const;
const MP4 = Buffer.concat([Buffer.from('00000020667479706d703432000000006d70343269736f6d', 'hex'), Buffer.alloc(64)]);

/** A picture that does not get smaller by compression. */
function noise(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  return sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
}

/** An animation of three frames. */
async function animation(width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all([1, 2, 3].map(() => noise(width, height).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

async function reads(bytes: Uint8Array, limits: MediaLimits = LIMITS): Promise<Awaited<ReturnType<typeof readMedium>>> {
  return readMedium({ bytes, name: 'a b.bin' }, { limits });
}

async function refusal(bytes: Uint8Array, limits: MediaLimits = LIMITS): Promise<string> {
  const error: unknown = await reads(bytes, limits).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  return error instanceof Error ? error.message : '';
}

describe('a file that stays unchanged', () => {
  test('has the same bytes, under a name of its type', async () => {
    using folder = temporaryFolder();
    const content = await sharp(PLAIN).png().toBuffer();
    writeFileSync(join(folder.path, 'logo.jpeg'), content);

    const medium = await readMedium(join(folder.path, 'logo.jpeg'), { limits: LIMITS });

    expect(medium).toEqual({
      type: 'image/png',
      kind: 'image',
      extension: 'png',
      width: 40,
      height: 20,
      name: 'logo.png',
      content: new Uint8Array(content),
    });
  });

  test('a photograph keeps its bytes, even if it is as large as the platform allows', async () => {
    const content = new Uint8Array(await noise(60, 40).jpeg().toBuffer());
    const limits = {
      ...LIMITS,
      mostBytes: { image: content.length },
      longestSide: 60,
      moving: { mostWidth: 9, mostHeight: 9, mostFrames: 1 },
    };

    expect((await reads(content, limits)).content).toEqual(content);
  });

  test('an animation keeps its bytes, because it has no data of a camera', async () => {
    const bytes = await animation(20, 10);
    // A comment, which would be lost, before the byte that ends the file.
    const content = new Uint8Array(Buffer.concat([bytes.subarray(0, -1), Buffer.from('21fe03616461003b', 'hex')]));

    expect((await reads(content)).content).toEqual(content);
  });

  test('a video is recognized by its content', async () => {
    expect(await reads(MP4)).toMatchObject({ type: 'video/mp4', kind: 'video', name: 'a_b.mp4' });
  });
});

describe('a path', () => {
  test('to a file over 512 MiB is rejected, even if the platform accepts it', async () => {
    using folder = temporaryFolder();
    const film = join(folder.path, 'film.mp4');
    writeFileSync(film, MP4);
    truncateSync(film, 600 * 1024 * 1024);

    const limits = { ...LIMITS, mostBytes: { video: 2 ** 50 } };
    await expect(readMedium(film, { limits })).rejects.toThrow('it has 600 MiB, and at most 512 MiB are taken');
  });

  test('to a pipe or a folder is rejected without waiting', async () => {
    using folder = temporaryFolder();
    const pipe = join(folder.path, 'card.png');
    execFileSync('mkfifo', [pipe]);

    await expect(readMedium(pipe, { limits: LIMITS })).rejects.toThrow(/it is not a file/);
    await expect(readMedium(folder.path, { limits: LIMITS })).rejects.toThrow(/it is a folder/);
  });
});

describe('a picture', () => {
  test('loses its metadata, and is upright', async () => {
    const content = await sharp(PLAIN)
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

    const medium = await reads(content);
    const left = await sharp(medium.content).metadata();

    expect(medium).toMatchObject({ type: 'image/jpeg', width: 20, height: 40 });
    expect([left.exif, left.orientation]).toEqual([undefined, undefined]);
  });

  test.for([
    ['of too many bytes', () => noise(900, 700).jpeg({ quality: 100 })],
    ['with sides that are too long', () => sharp({ create: { ...PLAIN.create, width: 5_000, height: 300 } }).png()],
    ['of an unsupported type', () => noise(300, 300).webp()],
    ['with transparency', () => noise(900, 700, 4).png()],
  ] as const)('%s is converted within the limits', async ([, make]) => {
    const medium = await reads(await make().toBuffer());

    expect(LIMITS.types).toContain(medium.type);
    expect(medium.content.length).toBeLessThanOrEqual(200_000);
    expect(Math.max(medium.width ?? 0, medium.height ?? 0)).toBeLessThanOrEqual(2_000);
    expect(await sharp(medium.content).metadata()).toMatchObject({ width: medium.width, height: medium.height });
  });

  test('of too many pixels is converted as large as the limit allows', async () => {
    const content = await sharp({ create: { ...PLAIN.create, width: 1_000, height: 800 } })
      .png()
      .toBuffer();

    const { width = 0, height = 0 } = await reads(content, { ...LIMITS, mostPixels: 500_000 });

    expect(width * height).toBeLessThanOrEqual(500_000);
    expect(width * height).toBeGreaterThan(490_000);
    expect(await reads(content, { ...LIMITS, mostPixels: 800_000 })).toMatchObject({ width: 1_000, height: 800 });
  });

  test('with an animation keeps it if it is made smaller', async () => {
    const content = await animation(100, 75);

    const medium = await reads(content, { ...LIMITS, mostBytes: { gif: 15_000 } });

    expect(content.length).toBeGreaterThan(15_000);
    expect(medium).toMatchObject({ kind: 'gif', type: 'image/gif' });
    expect(medium.content.length).toBeLessThanOrEqual(15_000);
    expect((await sharp(medium.content, { animated: true }).metadata()).pages).toBe(3);
  });
});

describe('a file that cannot be posted is rejected with the reason', () => {
  test.for([
    ['an empty file', Buffer.alloc(0), /it is empty/],
    ['a text', Buffer.from('just a text'), /not a picture, video or sound/],
    ['a script in an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /not a picture, video or sound/],
    ['a program', Buffer.from('7f454c46020101000000000000000000', 'hex'), /not a picture, video or sound/],
    ['half of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /damaged/],
    ['a long video', Buffer.concat([MP4, Buffer.alloc(2_000)]), /2 KiB, and test takes at most 1 KiB: make it smaller or shorter/],
    [
      'a sound',
      Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\0\0'), Buffer.from('fffb9064', 'hex'), Buffer.alloc(500)]),
      /takes no sounds/,
    ],
  ] as const)('%s', async ([, content, reason]) => {
    expect(await refusal(content)).toMatch(reason);
  });

  test('half of a photograph that must be converted', async () => {
    const whole = await noise(900, 700).jpeg({ quality: 100 }).toBuffer();

    expect(await refusal(whole.subarray(0, whole.length / 2))).toMatch(/the file a_b.bin cannot be posted: it is damaged/);
  });

  test('a missing file', async () => {
    await expect(readMedium('/no/such/file.png', { limits: LIMITS })).rejects.toThrow(
      'the file /no/such/file.png cannot be read: the file does not exist',
    );
  });

  test('an address of this machine', async () => {
    const server = createServer((_request, response) => response.end('secret'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on TCP
    try {
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '169.254.169.254']) {
        await expect(readMedium(`http://${host}:${port}/a.png`, { limits: LIMITS })).rejects.toMatchObject({
          platform: 'test',
          fault: 'rejected',
          message: expect.stringMatching(/not a public internet address/),
        });
      }
    } finally {
      server.close();
    }
  });
});
