/**
 * After "Back", the browser writes the texts that were typed last into the filters, although the view shows what its address asks for.
 * This sets the filters to their address.
 */
export function resetFilters(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isBack = navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward';
  addEventListener('pageshow', ({ persisted }) => {
    if (!isBack && !persisted) return;
    for (const form of document.querySelectorAll<HTMLFormElement>('form[action]:not([data-operation])')) form.reset();
  });
}
