/** Asks before the page is left with an edited text, which exists nowhere else. */
export function keepTyped(): void {
  addEventListener('beforeunload', (event) => {
    for (const { value, defaultValue } of document.querySelectorAll('textarea'))
      // The value of a field has no carriage returns.
      if (value !== defaultValue.replaceAll(/\r\n?/gu, '\n')) event.preventDefault();
  });
}
