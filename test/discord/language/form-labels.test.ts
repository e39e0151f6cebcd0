import { expect, test } from 'vitest';
import { namesForm } from '#src/discord/following/edit-form.ts';
import { otherLanguages, textsFor } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';

/** The most characters of a label in a form of Discord. */
const MOST = 45;

/** The titles and the labels of the forms, without the hints and the options, which can be longer. */
function labelsIn({ answers, following, posting, setup }: Texts): readonly string[] {
  const { addTitle, names, importTitle, importNames, message, color, channel, ping, after } = following.form;
  const ofFollowing = [addTitle, names, importTitle, importNames, message, color, channel, ping, after];
  return [...ofFollowing, ...Object.values(posting.form), answers.freeText, setup.zone.form, setup.zone.label];
}

test.each(['en', ...otherLanguages])('the labels of forms in the language %s are short enough for Discord', (language) => {
  expect(labelsIn(textsFor(language)).filter((label) => label.length > MOST)).toEqual([]);
});

test.each(['en', ...otherLanguages])('the form for the import of streamers in the language %s shows its whole label', (language) => {
  const { form } = textsFor(language).following;

  const shown = namesForm('follow:imported', form.importTitle, form.importNames, form.namesHint);

  expect(JSON.stringify(shown)).toContain(JSON.stringify(form.importNames));
});
