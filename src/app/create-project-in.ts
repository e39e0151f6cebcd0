import { catalogue } from '#src/clients/catalogue.ts';
import { configSchema } from '#src/config/fanfare-file.ts';
import { listSchema } from '#src/rules/list-schema.ts';
import { ruleSchema } from '#src/rules/editor-schema.ts';
import { createProject, type CreatedProject } from '#src/admin/scaffold/create-project.ts';
import { projectFiles } from '#src/admin/scaffold/project-files.ts';

/** Creates the project of `fanfare init`. It reads no configuration, because an invalid `fanfare.yaml` is no obstacle. */
export function createProjectIn(folder: string): Promise<CreatedProject> {
  return createProject(
    folder,
    projectFiles({ ruleSchema: ruleSchema(catalogue), listSchema: listSchema(catalogue), configSchema: configSchema() }),
  );
}
