import { z } from 'zod';

const field = z.string().min(1).describe('A field of the item that is a number, or a path to one.');
const lines = z.union([z.number(), z.array(z.number()).min(1).max(100)]);
const rearm = lines.optional().describe('It is armed again where the field has been back past this. Default: the line itself.');

const ChangeMap = z
  .strictObject({
    moved: z.enum(['up', 'down']).optional().describe('Its place changed in this direction.'),
    changed: z
      .array(z.string().min(1))
      .min(1)
      .max(50)
      .optional()
      .describe('One of these fields changed; a field may be a path, as `game.name`.'),
    rose: z
      .strictObject({ field, above: lines.describe('The line that is crossed, or several, each for itself.'), rearm })
      .optional()
      .describe('A number rose past a line.'),
    fell: z
      .strictObject({ field, below: lines.describe('The line that is crossed, or several, each for itself.'), rearm })
      .optional()
      .describe('A number fell past a line.'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

/** A change of the list, as written. */
export const ChangeFile = z.union([z.enum(['entered', 'left', 'moved']), ChangeMap]);
