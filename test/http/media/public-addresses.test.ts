import { expect, test } from 'vitest';
import { isNearby, isPublic } from '#src/http/media/public-addresses.ts';

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
  // Addresses of the metadata services of clouds.
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  // For examples.
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  // The last addresses of the networks.
  '0.255.255.255',
  '10.255.255.255',
  '100.127.255.255',
  '127.255.255.255',
  '169.254.255.255',
  '172.31.255.255',
  '192.0.0.255',
  '192.0.2.255',
  '192.88.99.255',
  '192.168.255.255',
  '198.19.255.255',
  '198.51.100.255',
  '203.0.113.255',
  '255.255.255.255',
  '2001:1ff:ffff::1',
  '2001:db8:ffff::1',
  '2002:ffff::1',
  '3fff:fff:ffff::1',
])('%s is not a public address', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.for([
  '8.8.8.8',
  '2606:4700::1111',
  '2a00:1450:4001::',
  '2001:4860:4860::8888',
  // Beside the networks of the table above.
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.101.0',
  '203.0.114.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:db9::1',
  '2003::1',
  '3fff:1000::1',
])('%s is a public address', (address) => {
  expect(isPublic(address)).toBe(true);
});

test('every notation of a local address is nearby', () => {
  expect(['http://localhost:1', 'http://0x7f.1', 'http://[::1]:2', 'http://2130706433'].map(isNearby)).toEqual([true, true, true, true]);
  expect(['https://bsky.social', 'https://8.8.8.8', 'https://[2606:4700::1111]', 'file:///tmp/a'].map(isNearby)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
