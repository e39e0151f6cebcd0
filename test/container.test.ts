import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROLES } from '#src/app/roles.ts';
import { readsVariable } from './support/environment-page.ts';

const Service = z.looseObject({
  profiles: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  ports: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
});
const Compose = z.object({
  services: z.object({ fanfare: Service, worker: Service, gateway: Service, web: Service, postgres: Service }),
  volumes: z.record(z.string(), z.null()),
});
const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = Compose.parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }));
const { fanfare, postgres, ...many } = compose.services;
const parts = Object.entries(many);

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
  expect(fanfare.ports).toEqual(['127.0.0.1:${PORT:-8080}:8080']);
});

test.for(Object.entries({ fanfare, ...many }))('%s has the paths and the address of the image, with any .env', ([, { environment }]) => {
  const ofImage =
    /^ENV (.*)$/mu
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map((one) => one.split('=')) ?? [];
  const ofMachine = ['HOST', 'PORT', 'FANFARE_DATA', 'FANFARE_RULES'];

  expect(Object.fromEntries(ofImage)).toMatchObject(Object.fromEntries(ofMachine.map((name) => [name, environment[name]])));
});

test('fanfare.yaml is mounted, and drafts and sign-ins are writable', () => {
  expect(fanfare.volumes).toEqual(['./fanfare.yaml:/app/fanfare.yaml:ro', './rules:/app/rules', './lists:/app/lists:ro', 'data:/data']);
  expect(parse(readFileSync('fanfare.yaml', 'utf8'))).toBeNull();
  expect(dockerfile).toContain('RUN ln -s /data/.env .env');
});

test('one process has time to finish requests', () => {
  expect(Number.parseInt(fanfare.stop_grace_period ?? '')).toBeGreaterThan(10);
});

test.for(Object.entries(compose.services))('the log of %s has a limit', ([, service]) => {
  expect(service['logging']).toEqual({ driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } });
});

test('the profile one starts Fanfare on one machine', () => {
  expect(fanfare['profiles']).toEqual(['one']);
});

describe('the profile many', () => {
  test('starts PostgreSQL, two workers, a gateway and a web process', () => {
    expect(Object.values(compose.services).filter(({ profiles }) => profiles.includes('many'))).toHaveLength(4);
    expect(many.worker).toMatchObject({ deploy: { replicas: 2 } });
  });

  test.for(parts)('%s has its role and waits for the database', ([role, service]) => {
    const image = dockerfile.match(/^CMD (\[.*\])$/mu)?.[1] ?? '[]';

    expect(ROLES).toContain(role);
    expect(service.command).toEqual([...z.array(z.string()).parse(JSON.parse(image)), '--role', role]);
    expect(service).toMatchObject({ profiles: ['many'], depends_on: { postgres: { condition: 'service_healthy' } } });
    expect(service.healthcheck?.test.join(' ')).toContain('http://127.0.0.1:8080/readyz');
  });

  test.for(parts)('%s has the same image, accounts, files and restrictions as one process', ([, service]) => {
    for (const key of ['image', 'build', 'env_file', 'volumes', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'init', 'restart'])
      expect(service[key], key).toEqual(fanfare[key]);
  });

  test.for(parts)('%s has time to finish requests and to hand over its shards', ([, { stop_grace_period: grace = '' }]) => {
    expect(Number.parseInt(grace)).toBeGreaterThan(30);
  });

  test('publishes the page on this machine only, and no database', () => {
    expect(Object.entries(compose.services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))).toEqual([
      ['fanfare', '127.0.0.1:${PORT:-8080}:8080'],
      ['web', '127.0.0.1:${PORT:-8080}:8080'],
    ]);
  });

  test('sets variables that Fanfare reads', () => {
    const names = [fanfare, ...Object.values(many)].flatMap(({ environment }) => Object.keys(environment));

    expect(names.filter((name) => !readsVariable(name))).toEqual([]);
  });

  test('pins PostgreSQL and keeps its data on a volume', () => {
    expect(postgres).toMatchObject({
      image: expect.stringMatching(/^postgres:18\.\d+-bookworm@sha256:[0-9a-f]{64}$/u),
      volumes: ['postgres:/var/lib/postgresql'],
    });
    expect(Object.keys(compose.volumes)).toEqual(['data', 'postgres']);
  });

  test('has the same user, database and password on both sides', () => {
    const { POSTGRES_USER: user, POSTGRES_DB: database, POSTGRES_PASSWORD: password } = postgres.environment;

    for (const [, { environment }] of parts)
      expect(environment['DATABASE_URL']).toBe(`postgres://${user}:${password}@postgres/${database}`);
  });
});
