import { catalogue } from '#src/catalogue.ts';
import { configSchema } from '#src/config/file-form.ts';
import { ruleSchema } from '#src/rules/schema.ts';
import { createProject, type CreatedProject } from '#src/scaffold/create-project.ts';
import { projectFiles } from '#src/scaffold/project-files.ts';

/** Creates the project of `fanfare init`. It reads no configuration, because an invalid `fanfare.yaml` is no obstacle. */
export function createProjectIn(folder: string): Promise<CreatedProject> {
  return createProject(folder, projectFiles({ ruleSchema: ruleSchema(catalogue), configSchema: configSchema() }));
}
