import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeApi } from '#src/web/api/description.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const GENERATOR = resolve('test/generated-client');

/** The annotations and classes of libraries that the generated interfaces name. Only their names matter for the compiler. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'com.fasterxml.jackson.annotation.JsonCreator': '',
  'com.fasterxml.jackson.annotation.JsonProperty': 'String value() default "";',
  'com.fasterxml.jackson.annotation.JsonSubTypes': 'Type[] value(); @interface Type { Class<?> value(); String name() default ""; }',
  'com.fasterxml.jackson.annotation.JsonTypeInfo':
    'Id use(); As include() default As.PROPERTY; String property() default ""; boolean visible() default false; enum Id { NONE, NAME, DEDUCTION } enum As { PROPERTY, EXISTING_PROPERTY }',
  'com.fasterxml.jackson.annotation.JsonValue': '',
  'io.swagger.v3.oas.annotations.Parameter':
    'String name() default ""; String description() default ""; boolean required() default false; String example() default ""; io.swagger.v3.oas.annotations.media.Schema schema() default @io.swagger.v3.oas.annotations.media.Schema;',
  'io.swagger.v3.oas.annotations.media.Schema':
    'String name() default ""; String description() default ""; boolean required() default false; RequiredMode requiredMode() default RequiredMode.AUTO; String example() default ""; String format() default ""; String type() default ""; Class<?> implementation() default Void.class; boolean nullable() default false; enum RequiredMode { AUTO, REQUIRED, NOT_REQUIRED }',
  'javax.annotation.Generated': 'String[] value();',
  'javax.validation.Valid': '',
  'javax.validation.constraints.DecimalMax': 'String value(); Class<?>[] groups() default {};',
  'javax.validation.constraints.DecimalMin': 'String value(); Class<?>[] groups() default {};',
  'javax.validation.constraints.Max': 'long value(); Class<?>[] groups() default {};',
  'javax.validation.constraints.Min': 'long value(); Class<?>[] groups() default {};',
  'javax.validation.constraints.NotNull': 'Class<?>[] groups() default {};',
  'javax.validation.constraints.Pattern': 'String regexp(); Class<?>[] groups() default {};',
  'javax.validation.constraints.Size': 'int min() default 0; int max() default 1; Class<?>[] groups() default {};',
  'javax.ws.rs.HeaderParam': 'String value();',
  'javax.ws.rs.PathParam': 'String value();',
  'javax.ws.rs.QueryParam': 'String value();',
  'javax.xml.bind.annotation.XmlEnum': 'Class<?> value();',
  'javax.xml.bind.annotation.XmlEnumValue': 'String value();',
  'javax.xml.bind.annotation.XmlRootElement': 'String name();',
  'javax.xml.bind.annotation.XmlType': 'String name();',
};

const CLASSES: Readonly<Record<string, string>> = {
  'org.apache.cxf.jaxrs.client.Client': 'interface Client {}',
  'javax.ws.rs.ProcessingException': 'class ProcessingException extends RuntimeException {}',
  'javax.ws.rs.WebApplicationException':
    'class WebApplicationException extends RuntimeException { public javax.ws.rs.core.Response getResponse() { return null; } }',
  'javax.ws.rs.core.Response': 'class Response { public int getStatus() { return 0; } }',
};

/** A call of several operations, as a user of the generated client writes it. */
const USE = `package com.example;

class Use {
  static String use(ApiApi api) throws Exception {
    com.example.model.ChangedRules paused = api.pauseRule(null, new com.example.model.PauseRuleRequest());
    String first = paused.getChanged().get(0);
    for (com.example.model.Rule rule : api.listRules(null).getItems()) first += rule.getId() + rule.isOn();
    return first + api.resendDelivery(null, null).getState() + api.getSession().getRole();
  }
}
`;

/** Installs the tools. */
async function install(): Promise<void> {
  if (!existsSync(join(GENERATOR, 'node_modules'))) await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: GENERATOR });
}

test('the description is valid OpenAPI', { timeout: 300_000 }, async () => {
  using folder = temporaryFolder();
  await install();
  const file = join(folder.path, 'openapi.json');
  await writeFile(file, JSON.stringify(describeApi()));
  const validate = () => run('npx', ['validate-api', file], { cwd: GENERATOR });

  await expect(validate()).resolves.toMatchObject({ stderr: '' });
  await writeFile(file, JSON.stringify({ ...describeApi(), paths: { '/api/x': { get: { responses: 1 } } } }));
  await expect(validate()).rejects.toMatchObject({ code: 1 });
});

test('a generated Java client compiles', { timeout: 300_000 }, async () => {
  using folder = temporaryFolder();
  const { path } = folder;
  await install();
  await writeFile(join(path, 'openapi.json'), JSON.stringify(describeApi()));
  const generator = '@openapi-generator-plus/java-cxf-client-generator';
  await writeFile(
    join(path, 'config.json'),
    JSON.stringify({ inputPath: join(path, 'openapi.json'), outputPath: path, generator, package: 'com.example' }),
  );
  await run('npx', ['openapi-generator-plus', '-c', join(path, 'config.json')], { cwd: GENERATOR });
  for (const [name, members] of Object.entries(LIBRARIES))
    await writeClass(path, name, `@interface ${name.replace(/^.*\./u, '')} { ${members} }`);
  for (const [name, source] of Object.entries(CLASSES)) await writeClass(path, name, source);
  await writeFile(join(path, 'com/example/Use.java'), USE);

  // The implementations need CXF; the interfaces and the records have the whole form of the API.
  const sources = globSync(
    [
      '{javax,io,org,com/fasterxml}/**/*.java',
      'com/example/{model,params,validation,support}/**/*.java',
      'com/example/{*Api,ApiInvoker,Un*,Use}.java',
    ],
    {
      cwd: path,
    },
  );
  const compiled = await run('javac', ['-encoding', 'UTF-8', '-d', join(path, 'classes'), ...sources], {
    cwd: path,
    maxBuffer: 100_000_000,
  });

  expect(compiled.stderr.replaceAll(/^Note: .*\n/gmu, '')).toBe('');
  expect(globSync('com/example/model/*.class', { cwd: join(path, 'classes') }).length).toBeGreaterThan(20);
});

async function writeClass(folder: string, name: string, source: string): Promise<void> {
  const file = join(folder, `${name.replaceAll('.', '/')}.java`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `package ${name.replace(/\.\w+$/u, '')};\npublic ${source}\n`);
}
