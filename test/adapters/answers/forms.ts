import type { BadAnswer } from '../bad-input/bad-server.ts';

const json = { 'content-type': 'application/json' };

/** An answer whose body breaks off after `text`. */
function cut(status: number, text: string, type: string): BadAnswer {
  return {
    status,
    by(response) {
      response.writeHead(status, { 'content-type': type, 'content-length': '1000' });
      response.write(text, () => response.destroy());
    },
  };
}

/** The forms of an answer, by name. */
export const FORMS = {
  refusal: (status) => ({ status, json: { error: 'Nope', message: 'Nope', title: 'Nope', detail: 'Nope' } }),
  otherJson: (status) => ({ status, json: { ok: true } }),
  nothing: (status) => ({ status, text: '', headers: { 'content-type': 'text/plain' } }),
  page: (status) => ({ status, text: '<!doctype html><title>Back soon</title>' }),
  cutPage: (status) => cut(status, '<!doctype', 'text/html'),
  text: (status) => ({ status, text: 'blocked', headers: { 'content-type': 'text/plain' } }),
  cutJson: (status) => cut(status, '{"err', 'application/json'),
  brokenJson: (status) => ({ status, text: '{"error":', headers: json }),
} as const satisfies Readonly<Record<string, (status: number) => BadAnswer>>;
export type Form = keyof typeof FORMS;

/** Which column of the documentation describes a form; undefined: either, by platform. */
export function columnOf(form: Form, status: number): 'json' | 'page' | undefined {
  // HTTP allows no body with these statuses.
  if (status === 204 || status === 304) return 'json';
  if (form === 'page' || form === 'cutPage') return 'page';
  return form === 'refusal' || form === 'otherJson' || form === 'nothing' ? 'json' : undefined;
}
