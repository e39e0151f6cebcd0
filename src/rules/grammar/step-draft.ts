import { z } from 'zod';
import { accountNames, condition, duration, maxAge, parameters, stepId, verb } from './words.ts';

/** A step as written. */
export const StepFile = z
  .strictObject({
    wait: duration.optional().describe('A step of its own: those below it are due this much later.'),
    id: stepId.optional().describe('A name, so that later steps can read what it gave as `steps.<id>`.'),
    do: verb.optional().describe('The operation.'),
    with: parameters.optional().describe('Its parameters.'),
    if: condition.optional().describe('A condition, asked when the step is due; false: the step is skipped.'),
    as: accountNames
      .optional()
      .describe(
        'An account, or several: each is delivered, retried and recorded on its own. Default: the `defaults` of fanfare.yaml, else the only one that is connected.',
      ),
    forEach: condition.optional().describe('An expression that gives a list: the step is done for each of it, read as `it` and `index`.'),
    fit: z
      .enum(['truncate', 'thread', 'error'])
      .optional()
      .describe(
        'What becomes of text that a platform would refuse for its length: shortened with its links whole, made a thread, or a failure. Default: truncate.',
      ),
    onError: z
      .enum(['continue', 'stop'])
      .optional()
      .describe(
        'What follows a failure of this step at any target: `stop` skips the later steps of the list, `continue` goes on. Default: continue, but a step whose text reads the result of a failed look-up is skipped; with `continue` written out, the result reads as empty.',
      ),
    strict: z
      .boolean()
      .optional()
      .describe(
        'Whether the step fails if a file, a `mention` or a tag of it cannot be had. Default: false, it is sent without that part, and the delivery says so.',
      ),
    retry: z
      .strictObject({
        for: duration.optional().describe('How long an attempt is repeated. Default: 24h.'),
        attempts: z.int().min(1).max(1000).optional().describe('How often it is tried at most.'),
      })
      .optional()
      .describe('How long, and how often, it is tried again where a target cannot be reached.'),
    maxAge: maxAge
      .optional()
      .describe(
        'How long after it is due the step may still begin; of `discord.ask`, how long a person may take. At least 1s. Default: `maxAge` of when for what makes something new in `then`, else none.',
      ),
  })
  .meta({ id: 'step', description: 'One thing to do, or a wait.' });
