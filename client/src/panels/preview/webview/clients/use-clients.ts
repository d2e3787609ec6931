/** Asks what clients make of the shown `SKILL.md`, while something on the page tells of it. */
import { useEffect } from 'preact/hooks';
import { type Actions, isAgentSkill, type Model } from '../model.ts';

/** An edit is answered with the prompt first: this is asked when the typing rests. */
const REST_MILLISECONDS = 300;

export function useClients(model: Model, actions: Actions): void {
  const { show, clients, page } = model;
  const isShown = isAgentSkill(model) && (page.tab === 'clients' || page.tab === 'prompt');
  const isFirst = clients === undefined;
  const serial = show?.serial;
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => actions.post({ type: 'askClients' }), isFirst ? 0 : REST_MILLISECONDS);
    return () => clearTimeout(timer);
    // The answer to the first question is no reason to ask again.
  }, [isShown, serial]);
}
