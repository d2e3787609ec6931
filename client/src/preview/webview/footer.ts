/** What did it, how long it took, and how much was taken: each count goes to its table. */
import { el, link, setChildren } from './dom.ts';
import { type Actions, decisionsOf, type Model, plural, type View } from './view.ts';

export function createFooter(actions: Actions): View {
  const element = el('footer');
  let key: string | undefined;
  const goTo = (id: string) => () => {
    actions.openTab('why');
    document.getElementById(`why-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  return {
    element,
    update: (model) => {
      const { composition, show } = model;
      const next = JSON.stringify([composition?.engine, show?.reply.milliseconds, counts(model)]);
      if (next === key) return;
      key = next;
      const { engine } = composition ?? {};
      setChildren(element, [
        ...(engine ? [el('span', { text: `${engine.name} ${engine.version}` })] : []),
        ...(show
          ? [el('span', { text: `${show.reply.milliseconds.toFixed(1)} ms`, title: 'How long composing took' })]
          : []),
        ...counts(model).map(({ id, taken, all, noun }) =>
          link(`${taken} of ${plural(all, noun)}`, `Why these ${noun}s`, goTo(id)),
        ),
      ]);
    },
  };
}

const counts = (model: Model) =>
  (['artifact', 'tool'] as const).flatMap((noun) => {
    const all = decisionsOf(model).filter(({ subject }) => subject === noun);
    return all.length === 0
      ? []
      : [{ id: noun, noun, taken: all.filter(({ taken }) => taken).length, all: all.length }];
  });
