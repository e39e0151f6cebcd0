/** Asks before the page is left with an edited text, which exists nowhere else. After "Back", the text that the browser kept is visible. */
export function keepTyped(): void {
  addEventListener('beforeunload', (event) => {
    if (editedTexts().length > 0) event.preventDefault();
  });
  showEdited();
  addEventListener('pageshow', showEdited);
}

function editedTexts(): readonly HTMLTextAreaElement[] {
  // The value of a field has no carriage returns.
  return [...document.querySelectorAll('textarea')].filter(({ value, defaultValue }) => value !== defaultValue.replaceAll(/\r\n?/gu, '\n'));
}

function showEdited(): void {
  for (const text of editedTexts()) text.closest('details')?.setAttribute('open', '');
}
