import { z } from 'zod';
import { FanfareFile } from './file-form.ts';
import type { JsonSchema } from '#src/rules/schema.ts';

/** The JSON Schema of `fanfare.yaml`, for editors. */
export function configSchema(): JsonSchema {
  return { ...z.toJSONSchema(FanfareFile, { io: 'input' }), title: 'The configuration of Fanfare' };
}
