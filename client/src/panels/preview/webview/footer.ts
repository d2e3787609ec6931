/** The footer: the template engine, the time that composing took, and counts that link to their tables. */

import { el, link, setChildrenKeepingFocus } from '../../kit/dom.ts';
import { numberFormat, t, tCount } from '../../kit/l10n.ts';
import { type Actions, decisionsOf, type Model, type View } from './model.ts';

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
      setChildrenKeepingFocus(element, [
        ...(engine ? [el('span', { text: `${engine.name} ${engine.version}` })] : []),
        ...(show
          ? [
              el('span', {
                text: `${oneDigit(show.reply.milliseconds)} ms`,
                title: t('How long composing took'),
              }),
            ]
          : []),
        ...counts(model).map(({ id, text, title }) => link(text, title, goTo(id))),
      ]);
    },
  };
}

const oneDigit = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

function counts(model: Model) {
  const of = (id: 'artifact' | 'tool') => {
    const all = decisionsOf(model).filter(({ subject }) => subject === id);
    return { all: all.length, taken: all.filter(({ taken }) => taken).length };
  };
  const [artifacts, tools] = [of('artifact'), of('tool')];
  return [
    {
      id: 'artifact',
      ...artifacts,
      text: tCount(artifacts.all, '{1} of 1 artifact', '{1} of {0} artifacts', artifacts.taken),
      title: t('Why these artifacts'),
    },
    {
      id: 'tool',
      ...tools,
      text: tCount(tools.all, '{1} of 1 tool', '{1} of {0} tools', tools.taken),
      title: t('Why these tools'),
    },
  ].filter(({ all }) => all > 0);
}
