/** Asks what is told of the shown `SKILL.md` beside its prompt, while something on the page shows it. */
import { useEffect } from 'preact/hooks';
import { type Actions, isAgentSkill, type Model } from './model.ts';

/** An edit is answered with the prompt first: this is asked when the typing rests. */
const REST_MILLISECONDS = 300;

export function useAsides(model: Model, actions: Actions): void {
  const { clients, abilities, page } = model;
  const isAgent = isAgentSkill(model);
  useQuestion('askClients', isAgent && (page.tab === 'clients' || page.tab === 'prompt'), clients === undefined);
  useQuestion('askAbilities', isAgent && page.tab === 'abilities', abilities === undefined);

  function useQuestion(type: 'askClients' | 'askAbilities', isShown: boolean, isFirst: boolean): void {
    useEffect(() => {
      if (!isShown) return;
      const timer = setTimeout(() => actions.post({ type }), isFirst ? 0 : REST_MILLISECONDS);
      return () => clearTimeout(timer);
      // The answer to the first question is no reason to ask again.
    }, [isShown, model.show?.serial]);
  }
}
