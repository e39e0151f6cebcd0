/** Asks before the page is left with an edited text, which exists nowhere else. After "Back", the text that the browser kept is visible. */
export function keepTyped(): void {
  addEventListener('beforeunload', (event) => {
    if (editedFields().length > 0) event.preventDefault();
  });
  showEdited();
  addEventListener('pageshow', showEdited);
}

/** The edited texts, and the edited fields of actions. Filters are in the address. */
function editedFields(): readonly Element[] {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, [data-operation] input');
  // The value of a text has no carriage returns, and that of a field has no line breaks.
  return [...fields].filter(
    ({ type, value, defaultValue }) => value !== defaultValue.replaceAll(/\r?\n|\r/gu, type === 'textarea' ? '\n' : ''),
  );
}

function showEdited(): void {
  for (const field of editedFields()) field.closest('details')?.setAttribute('open', '');
}
