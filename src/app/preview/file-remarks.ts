import { resolve } from 'node:path';
import type { StepRemark } from '#src/queries/preview-view.ts';
import { findFileError } from '#src/media/file-errors.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';

/** What keeps the files of this machine from being sent that parameters name. */
export async function fileRemarks(params: readonly JsonObject[]): Promise<readonly StepRemark[]> {
  const named = params.flatMap(({ files, file }) => (isJsonList(files) ? [...files, file] : [file]));
  const paths = [...new Set(named.flatMap((one) => pathOf(one) ?? []))];
  const remarks = await Promise.all(paths.map(remarkOn));
  return remarks.filter((remark) => remark !== undefined);
}

async function remarkOn(path: string): Promise<StepRemark | undefined> {
  const error = await findFileError(path);
  return error === undefined ? undefined : { kind: 'file', path: resolve(path), error };
}

function pathOf(file: Json | undefined): string | undefined {
  if (typeof file === 'string') return /^https?:\/\//iu.test(file) ? undefined : file;
  return isJsonObject(file) && typeof file['path'] === 'string' ? file['path'] : undefined;
}
