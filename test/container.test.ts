import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const Compose = z.object({
  services: z.object({
    fanfare: z.looseObject({
      environment: z.record(z.string(), z.string()),
      volumes: z.array(z.string()),
      ports: z.array(z.string()),
    }),
  }),
});
const dockerfile = readFileSync('Dockerfile', 'utf8');
const { fanfare } = Compose.parse(parse(readFileSync('docker-compose.yml', 'utf8'))).services;

test('the container cannot write its root, has no capabilities and gains no privileges', () => {
  expect(fanfare).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  expect(fanfare['tmpfs']).toEqual(['/tmp']);
});

test('the base image is pinned by digest', () => {
  expect(dockerfile.match(/^(?:ARG NODE=|FROM ).*$/gmu)).toEqual([
    expect.stringMatching(/^ARG NODE=node:24\.[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/u),
    'FROM --platform=$BUILDPLATFORM $NODE AS base',
    'FROM base AS build',
    'FROM base AS modules',
    'FROM $NODE',
  ]);
});

test('the image contains the build, without the sources and the development dependencies', () => {
  const [, , , , image = ''] = dockerfile.split(/^FROM /mu);

  expect(image.match(/^COPY .*$/gmu)).toEqual([
    'COPY package.json LICENSE ./',
    'COPY bin ./bin',
    'COPY rules ./rules',
    'COPY --from=build /app/dist ./dist',
    'COPY --from=modules /app/modules ./node_modules',
  ]);
  expect(image).not.toContain('npm');
  expect(dockerfile.match(/npm (?!ci )\w+/gu)).toBeNull();
});

test('the page has allowed host names and is only published on this machine', () => {
  expect(fanfare.environment).toHaveProperty('FANFARE_ALLOWED_HOSTS');
  expect(fanfare.ports).toEqual(['127.0.0.1:8080:8080']);
});

test('fanfare.yaml is mounted, and drafts and sign-ins are writable', () => {
  expect(fanfare.volumes).toEqual(['./fanfare.yaml:/app/fanfare.yaml:ro', './rules:/app/rules', 'data:/data']);
  expect(parse(readFileSync('fanfare.yaml', 'utf8'))).toBeNull();
  expect(dockerfile).toContain('RUN ln -s /data/.env .env');
});

test('the profile one starts Fanfare on one machine', () => {
  expect(fanfare['profiles']).toEqual(['one']);
});
