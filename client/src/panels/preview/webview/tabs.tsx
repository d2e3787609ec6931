/** The tabs: what the model will read, what will then run, why, for whom, and what the skill is able to do. */
import { Component, type ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { IconButton } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import { TABS, type Tab } from '../messages.ts';
import { Abilities } from './abilities/abilities.tsx';
import { Clients } from './clients/clients.tsx';
import { isAgentSkill, type Model, type ViewProps } from './model.ts';
import { Prompt } from './prompt/prompt.tsx';
import { Run } from './run/run.tsx';
import { Why } from './why.tsx';

const names: Readonly<Record<Tab, string>> = {
  prompt: t('Prompt'),
  run: t('Run'),
  why: t('Why'),
  clients: t('Clients'),
  abilities: t('Abilities'),
};
const views = { prompt: Prompt, run: Run, why: Why, clients: Clients, abilities: Abilities };

/** Of a `SKILL.md` alone. */
const OF_AGENT_SKILL: readonly Tab[] = ['clients', 'abilities'];

const tabsOf = (model: Model): readonly Tab[] =>
  isAgentSkill(model) ? TABS : TABS.filter((name) => !OF_AGENT_SKILL.includes(name));

/** The tab that is open; a kept one that this skill does not have gives way to the prompt. */
const openTab = (model: Model): Tab => (tabsOf(model).includes(model.page.tab) ? model.page.tab : 'prompt');

export function Tabs({ model, actions, strip }: ViewProps & { readonly strip: ComponentChildren }) {
  const { mono } = model.page;
  const tabs = tabsOf(model);
  const tab = openTab(model);
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by && tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
    if (!next) return;
    actions.setPage({ tab: next });
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <main>
      <div class="tab-bar">
        <div ref={list} class="tab-list" role="tablist" aria-label={t('Preview')} onKeyDown={move}>
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              class="tab"
              role="tab"
              id={`tab-${name}`}
              aria-selected={name === tab ? 'true' : 'false'}
              aria-controls={`panel-${name}`}
              tabIndex={name === tab ? 0 : -1}
              onClick={() => actions.setPage({ tab: name })}
            >
              {names[name]}
            </button>
          ))}
        </div>
        {tab === 'prompt' && (
          <span class="tools">
            <button
              type="button"
              class="icon-button font-toggle"
              title={t('The editor’s font')}
              aria-pressed={mono ? 'true' : 'false'}
              onClick={() => actions.setPage({ mono: !mono })}
            >
              Aa
            </button>
            <IconButton icon="find" label={t('Find (Ctrl+F)')} onClick={actions.find} />
            <IconButton
              icon={model.copied ? 'check' : 'copy'}
              label={model.copied ? t('Copied') : t('Copy the prompt')}
              onClick={() => actions.post({ type: 'copyPrompt' })}
            />
          </span>
        )}
      </div>
      {strip}
      {tabs.map((name) => {
        const View = views[name];
        return (
          <div
            key={name}
            id={`panel-${name}`}
            class={`panel panel-${name}`}
            role="tabpanel"
            aria-labelledby={`tab-${name}`}
            hidden={name !== tab}
          >
            <Kept isActive={name === tab}>
              <View model={model} actions={actions} />
            </Kept>
          </div>
        );
      })}
    </main>
  );
}

interface KeptProps {
  readonly isActive: boolean;
  readonly children: ComponentChildren;
}

/** Keeps a hidden tab as it was: it is rendered when it is first opened, and changes only while it is open. */
class Kept extends Component<KeptProps> {
  #wasActive = false;

  override shouldComponentUpdate({ isActive }: KeptProps): boolean {
    return isActive;
  }

  override render({ isActive, children }: KeptProps) {
    this.#wasActive ||= isActive;
    return this.#wasActive ? children : null;
  }
}
