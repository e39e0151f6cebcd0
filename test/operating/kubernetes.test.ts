import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readsVariable } from '../support/environment-page.ts';

const Probe = z.object({ httpGet: z.strictObject({ path: z.string(), port: z.literal('http') }) });
const Container = z.looseObject({
  image: z.string(),
  command: z.array(z.string()),
  envFrom: z.array(z.unknown()),
  env: z.array(z.looseObject({ name: z.string() })),
  resources: z.object({ requests: z.record(z.string(), z.string()), limits: z.record(z.string(), z.string()) }),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});
const Template = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    securityContext: z.looseObject({}),
    containers: z.tuple([Container]),
    volumes: z.array(z.looseObject({ name: z.string() })),
  }),
});
const Manifest = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.looseObject({}) });
const Deployment = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    strategy: z.unknown(),
    template: Template,
  }),
});
const Job = z.object({ spec: z.object({ template: Template }) });
const Budget = z.object({ spec: z.object({ minAvailable: z.number(), selector: z.object({ matchLabels: z.unknown() }) }) });
const StartupProbe = Probe.extend({ periodSeconds: z.number(), failureThreshold: z.number() });
const ProbedContainer = z.object({ startupProbe: StartupProbe, livenessProbe: Probe, readinessProbe: Probe });
const Named = z.object({ metadata: z.object({ name: z.string() }) });

const files = globSync('contrib/kubernetes/**/*.yaml').toSorted();
const documents = files.flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')));
const manifests = documents.map((document) => Manifest.parse(document.toJS()));
const of = (kind: string): readonly unknown[] => manifests.filter((manifest) => manifest.kind === kind);
const deployments = of('Deployment').map((one) => Deployment.parse(one));
const templates = [...deployments, ...of('Job').map((one) => Job.parse(one))].map(({ spec }) => spec.template);

test('the manifests are valid YAML', () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  expect(manifests.length).toBeGreaterThan(8);
});

test('there is a deployment for each role', () => {
  const roles = deployments.map(({ spec }) => spec.template.spec.containers[0].command.at(-1));

  expect(new Set(roles)).toEqual(new Set(['gateway', 'web', 'worker']));
  expect(roles).toHaveLength(3);
});

describe.for(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))('%s', ([name, { spec }]) => {
  const [container] = spec.template.spec.containers;

  test('runs its role with the command of the image', () => {
    const command: unknown = JSON.parse(/^CMD (\[.*\])$/mu.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '');

    expect(container.command).toEqual([...z.array(z.string()).parse(command), '--role', name.replace('fanfare-', '')]);
  });

  test('restarts without a gap', () => {
    expect(spec.replicas).toBeGreaterThan(1);
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(spec.template.spec['terminationGracePeriodSeconds']).toBeGreaterThanOrEqual(name === 'fanfare-gateway' ? 45 : 30);
  });

  test('selects its pods, and has a disruption budget for them', () => {
    const budgets = of('PodDisruptionBudget').map((one) => Budget.parse(one).spec);

    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(
      budgets.filter(({ selector }) => JSON.stringify(selector.matchLabels) === JSON.stringify(spec.selector.matchLabels)),
    ).toHaveLength(1);
  });

  test('has probes', () => {
    const probes = ProbedContainer.parse(container);
    const paths = [probes.startupProbe, probes.livenessProbe, probes.readinessProbe].map(({ httpGet }) => httpGet.path);

    // A refused account makes each process unready, but must not take the page and the webhooks away.
    expect(paths).toEqual(['/healthz', '/healthz', name === 'fanfare-web' ? '/healthz' : '/readyz']);
    // The start waits for the database, and migrates it.
    expect(probes.startupProbe.periodSeconds * probes.startupProbe.failureThreshold).toBeGreaterThanOrEqual(3_600);
  });
});

test('all processes have one image, and the same secrets and settings', () => {
  const containers = templates.map(({ spec }) => spec.containers[0]);

  expect(new Set(containers.map(({ image }) => image)).size).toBe(1);
  expect(new Set(containers.map(({ envFrom }) => JSON.stringify(envFrom))).size).toBe(1);
});

test('no process can write outside its volumes, run as root or gain privileges', () => {
  for (const { spec } of templates) {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(spec.containers[0]).toMatchObject({
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      volumeMounts: expect.arrayContaining([
        { name: 'data', mountPath: '/data' },
        { name: 'tmp', mountPath: '/tmp' },
      ]),
    });
    expect(spec.containers[0].volumeMounts.map((mount) => mount.name)).toEqual(spec.volumes.map((volume) => volume.name));
    expect(spec.containers[0].resources).toMatchObject({ requests: { cpu: expect.any(String), memory: expect.any(String) } });
  }
});

describe('the network policies', () => {
  const Labels = z.record(z.string(), z.string());
  const Rule = z.object({
    from: z.unknown().optional(),
    to: z.array(z.unknown()).optional(),
    ports: z.array(z.looseObject({ port: z.unknown() })),
  });
  const Policy = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({
      podSelector: z.object({ matchLabels: Labels }),
      policyTypes: z.array(z.string()),
      ingress: z.array(Rule),
      egress: z.array(Rule).default([]),
    }),
  });
  const policies = of('NetworkPolicy').map((one) => Policy.parse(one));
  const selected = (labels: Readonly<Record<string, string>>): readonly string[] =>
    policies
      .filter(({ spec }) => Object.entries(spec.podSelector.matchLabels).every(([key, value]) => labels[key] === value))
      .map(({ metadata }) => metadata.name);

  test('restrict both directions of every pod', () => {
    const all = policies.find(({ metadata }) => metadata.name === 'fanfare');

    expect(all?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(templates.filter(({ metadata }) => !selected(metadata.labels).includes('fanfare'))).toEqual([]);
    expect(policies.flatMap(({ spec }) => spec.ingress).filter(({ from }) => from === undefined)).toEqual([]);
  });

  test('let other programs ask only for the page', () => {
    const pods = deployments.map(({ spec }) => selected(spec.template.metadata.labels));

    expect(pods.toSorted((a, b) => a.length - b.length)).toEqual([['fanfare'], ['fanfare'], ['fanfare', 'fanfare-web']]);
    expect(new Set(policies.flatMap(({ spec }) => spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port))))).toEqual(
      new Set(['http']),
    );
  });

  test('allow HTTPS to the internet, but neither to private networks nor to the metadata service', () => {
    const Blocks = z.array(z.object({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }) }));
    const web = policies.flatMap(({ spec }) => spec.egress).find(({ ports }) => ports.some(({ port }) => port === 443));
    const blocks = Blocks.parse(web?.to).map(({ ipBlock }) => ipBlock);

    expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '::/0']);
    expect(blocks.flatMap(({ except }) => except)).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10']),
    );
  });
});

test('all variables are in the reference', () => {
  const Data = z.object({ data: z.record(z.string(), z.string()).optional(), stringData: z.record(z.string(), z.string()).optional() });
  const names = [
    ...templates.flatMap(({ spec }) => spec.containers[0].env.map((variable) => variable.name)),
    ...[...of('ConfigMap'), ...of('Secret')].flatMap((one) => {
      const { data, stringData } = Data.parse(one);
      return Object.keys({ ...data, ...stringData });
    }),
  ].filter((name) => name !== 'fanfare.yaml');

  expect(names).toContain('FANFARE_KEY');
  expect(names.filter((name) => !readsVariable(name))).toEqual([]);
});

test('the manifests name objects that exist', () => {
  const known = new Set(manifests.flatMap((one) => Named.safeParse(one).data?.metadata.name ?? []));
  const text = JSON.stringify(templates);
  const named = [...text.matchAll(/"(?:secretRef|configMapRef|configMap)":\{"name":"([^"]+)"/gu)].map(([, name = '']) => name);

  // A command creates the rules from files.
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual(['fanfare-rules']);
  expect(manifests.filter(({ metadata }) => 'namespace' in metadata)).toEqual([]);
});
