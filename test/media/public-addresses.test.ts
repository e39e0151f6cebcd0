import { expect, test } from 'vitest';
import { isNearby, isPublic } from '#src/media/public-addresses.ts';

test.for([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  'fe80::1',
  'fd00::1',
  // Addresses with one of version 4 inside, which may be one of this network.
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fec0::1',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  '::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2001:0:ffff::1',
  '2001:db8::1',
  'fe80::1%eth0',
  // Addresses at which clouds give their machines settings and secrets.
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  // For examples.
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
])('%s is none of the open internet', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.for(['8.8.8.8', '2606:4700::1111', '2a00:1450:4001::', '2001:4860:4860::8888', '168.63.129.15'])(
  '%s is one of the open internet',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test('a server is nearby by its address, however it is written', () => {
  expect(['http://localhost:1', 'http://0x7f.1', 'http://[::1]:2', 'http://2130706433'].map(isNearby)).toEqual([true, true, true, true]);
  expect(isNearby('https://bsky.social')).toBe(false);
});
