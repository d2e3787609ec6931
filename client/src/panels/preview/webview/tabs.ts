/** The four tabs, with the tools of the open one on the right. */

import { debounce } from '../../kit/debounce.ts';
import { el, setAttr, setText } from '../../kit/dom.ts';
import { iconButton, setIcon } from '../../kit/icons.ts';
import { t } from '../../kit/l10n.ts';
import { TABS, type Tab } from '../messages.ts';
import type { Actions, Model, View } from './model.ts';

const names: Readonly<Record<Tab, string>> = {
  prompt: t('Prompt'),
  graph: t('Graph'),
  why: t('Why'),
  compare: t('Compare'),
};

export interface Tabs extends View {
  /** Shows for a moment that the prompt was copied. */
  readonly showCopied: () => void;
}

export function createTabs(actions: Actions, views: Readonly<Record<Tab, View>>, find: () => void): Tabs {
  let model: Model | undefined;
  const buttons = TABS.map((tab) =>
    el('button', {
      class: 'tab',
      text: names[tab],
      attrs: { type: 'button', role: 'tab', id: `tab-${tab}`, 'aria-controls': `panel-${tab}` },
      on: { click: () => actions.openTab(tab) },
    }),
  );
  const list = el('div', { class: 'tab-list', attrs: { role: 'tablist', 'aria-label': t('Preview') } }, ...buttons);
  list.addEventListener('keydown', ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (by === undefined || !model) return;
    const next = TABS[(TABS.indexOf(model.page.tab) + by + TABS.length) % TABS.length];
    if (!next) return;
    actions.openTab(next);
    buttons[TABS.indexOf(next)]?.focus();
  });
  const wrap = iconButton('wrap', t('Wrap lines'), () => actions.setPage({ wrap: !model?.page.wrap }));
  const copy = iconButton('copy', t('Copy the prompt'), () => actions.post({ type: 'copyPrompt' }));
  const copiedText = el('span', { class: 'unseen', attrs: { role: 'status' } });
  const promptTools = el(
    'span',
    { class: 'tools' },
    wrap,
    iconButton('find', t('Find (Ctrl+F)'), find),
    copy,
    copiedText,
  );
  const panels = TABS.map((tab) =>
    el(
      'div',
      { class: 'panel', attrs: { role: 'tabpanel', id: `panel-${tab}`, 'aria-labelledby': `tab-${tab}` } },
      views[tab].element,
    ),
  );
  const element = el('main', {}, el('div', { class: 'tab-bar' }, list, promptTools), ...panels);
  const hideCopied = debounce(() => {
    setIcon(copy, 'copy');
    setText(copiedText, '');
  }, 2000);
  for (const [at, panel] of panels.entries()) {
    const tab = TABS[at] as Tab;
    views[tab].attach?.(panel);
    const keepScroll = debounce(() => {
      if (model) actions.setPage({ scroll: { ...model.page.scroll, [tab]: panel.scrollTop } });
    }, 200);
    panel.addEventListener('scroll', keepScroll);
  }

  return {
    element,
    showCopied: () => {
      setIcon(copy, 'check');
      setText(copiedText, t('Copied'));
      hideCopied();
    },
    update: (next) => {
      const first = model === undefined;
      const switched = model?.page.tab !== next.page.tab;
      model = next;
      const { tab, wrap: wraps, scroll } = next.page;
      for (const [at, name] of TABS.entries()) {
        const chosen = name === tab;
        const one = buttons[at] as HTMLElement;
        setAttr(one, 'aria-selected', String(chosen));
        setAttr(one, 'tabindex', chosen ? '0' : '-1');
        (panels[at] as HTMLElement).hidden = !chosen;
      }
      promptTools.hidden = tab !== 'prompt';
      setAttr(wrap, 'aria-pressed', String(wraps));
      views[tab].update(next);
      if (first || switched) (panels[TABS.indexOf(tab)] as HTMLElement).scrollTop = scroll[tab] ?? 0;
    },
  };
}
