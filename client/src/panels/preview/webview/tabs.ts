/** The four tabs and, at the right, what can be done with the one that is open. */

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
  /** The scrolling part of a tab. */
  readonly panel: (tab: Tab) => HTMLElement;
  /** Says for a moment that the prompt is in the clipboard. */
  readonly sayCopied: () => void;
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
  const wrap = iconButton('wrap', t('Wrap lines'), () => actions.look({ wrap: !model?.page.wrap }));
  const copy = iconButton('copy', t('Copy the prompt'), () => actions.post({ type: 'copyPrompt' }));
  const says = el('span', { class: 'unseen', attrs: { role: 'status' } });
  let saying: ReturnType<typeof setTimeout> | undefined;
  const promptTools = el('span', { class: 'tools' }, wrap, iconButton('find', t('Find (Ctrl+F)'), find), copy, says);
  const panels = TABS.map((tab) =>
    el(
      'div',
      { class: 'panel', attrs: { role: 'tabpanel', id: `panel-${tab}`, 'aria-labelledby': `tab-${tab}` } },
      views[tab].element,
    ),
  );
  const element = el('main', {}, el('div', { class: 'tab-bar' }, list, promptTools), ...panels);
  const scrolls: Partial<Record<Tab, ReturnType<typeof setTimeout>>> = {};
  for (const [at, panel] of panels.entries()) {
    const tab = TABS[at] as Tab;
    views[tab].attach?.(panel);
    panel.addEventListener('scroll', () => {
      clearTimeout(scrolls[tab]);
      // Kept for the next time only: nothing on the page waits for it.
      scrolls[tab] = setTimeout(() => {
        if (model) actions.look({ scroll: { ...model.page.scroll, [tab]: panel.scrollTop } });
      }, 200);
    });
  }

  return {
    element,
    sayCopied: () => {
      clearTimeout(saying);
      setIcon(copy, 'check');
      setText(says, t('Copied'));
      saying = setTimeout(() => {
        setIcon(copy, 'copy');
        setText(says, '');
      }, 2000);
    },
    panel: (tab) => panels[TABS.indexOf(tab)] as HTMLElement,
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
