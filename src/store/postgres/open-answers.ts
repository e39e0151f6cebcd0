import { type Kysely, sql } from 'kysely';
import type { OpenAnswers } from '#src/clients/assistant/conversation-state.ts';
import { createOpenAnswers, toOpenAnswer } from '#src/store/open-answers.ts';
import type { Tables } from '#src/store/tables.ts';
import { asShared } from './shared-tables.ts';
import { NOW_MS } from './now.ts';
import { DEAD_AFTER_MS } from './workers.ts';

/** The open answers of all processes. Answers of running processes are not listed. */
export function createSharedOpenAnswers(plain: Kysely<Tables>): OpenAnswers {
  const answers = createOpenAnswers(plain);
  const db = asShared(plain);
  return {
    async keep(answer) {
      const { id, writer } = answer;
      // An answer without a writer counts as interrupted, so the writer comes first.
      if (writer !== undefined) {
        await db
          .insertInto('answer_writer')
          .values({ answer: id, process: writer })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      await answers.keep(answer);
    },

    async close(id) {
      await answers.close(id);
      await db.deleteFrom('answer_writer').where('answer', '=', id).execute();
    },

    async list() {
      // A process that starts again under the same name no longer writes its earlier answers.
      const { rows } = await sql<Tables['open_answer']>`
        select * from open_answer where not exists (
          select from answer_writer join worker on worker.id = answer_writer.process
          where answer_writer.answer = open_answer.id
            and worker.started_ms <= open_answer.asked_ms and worker.seen_ms > ${NOW_MS} - ${DEAD_AFTER_MS}
        ) order by asked_ms`.execute(db);
      return rows.map(toOpenAnswer);
    },
  };
}
