/** The tabs: the prompt, the run, the reasons, the choice by clients, and the abilities of the skill. */
import { Component, type ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { IconButton, Link, WithCode } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import type { ShownDecision, ShownGate, Tab } from '../messages.ts';
import { Abilities } from './abilities.tsx';
import { Chosen } from './chosen.tsx';
import {
  type Actions,
  decisionsOf,
  fileName,
  gatesOf,
  isAgentSkill,
  isOlder,
  type Model,
  recordOf,
  stateOf,
  type ViewProps,
} from './model.ts';
import { Prompt } from './prompt/prompt.tsx';
import { Run } from './run/run.tsx';

const names: Readonly<Record<Tab, string>> = {
  prompt: t('Prompt'),
  run: t('Run'),
  why: t('Why'),
  chosen: t('Chosen'),
  abilities: t('Abilities'),
};
const views = { prompt: Prompt, run: Run, why: Why, chosen: Chosen, abilities: Abilities };

/** Returns the tabs, in the order in which they are shown. A `SKILL.md` has no steps, and nothing in it is left out. */
const tabsOf = (model: Model): readonly Tab[] =>
  isAgentSkill(model) ? ['prompt', 'chosen', 'abilities'] : ['prompt', 'run', 'why'];

/** Returns the open tab: the saved tab, or the prompt if this skill does not have the saved tab. */
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
        {tab === 'prompt' && isOlder(model) && (
          <span class="older quiet" title={stateOf(model).why}>
            {t('Last valid prompt')}
          </span>
        )}
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
            <LazyTab isActive={name === tab}>
              <View model={model} actions={actions} />
            </LazyTab>
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

/** A tab that is first rendered when it opens, and changes only while it is open. */
class LazyTab extends Component<KeptProps> {
  #wasActive = false;

  override shouldComponentUpdate({ isActive }: KeptProps): boolean {
    return isActive;
  }

  override render({ isActive, children }: KeptProps) {
    this.#wasActive ||= isActive;
    return this.#wasActive ? children : null;
  }
}

// The tab *Why*: the included and omitted parts of each skill, and the reasons why the planner does not offer the
// skill.

const subjects: Readonly<Record<ShownDecision['subject'], string>> = {
  artifact: t('artifact'),
  prose: t('prose'),
  tool: t('tool'),
  approach: t('approach'),
  skill: t('skill'),
  interrupt: t('interrupt'),
};

function Why({ model, actions }: ViewProps) {
  const decisions = decisionsOf(model);
  const files = [...new Set(decisions.map(({ uri }) => uri))];
  const gates = gatesOf(model);
  const record = recordOf(model);
  return (
    <div class="why">
      {gates.length > 0 && <Gates gates={gates} actions={actions} />}
      {model.show?.reply.toolsKnown === false && (
        <p class="remark">{t('No catalog lists the tools, so all declared tools count as available.')}</p>
      )}
      {files.map((uri) => (
        <Decisions
          key={uri}
          title={files.length > 1 ? titleOf(uri) : undefined}
          rows={decisions.filter((one) => one.uri === uri)}
          actions={actions}
        />
      ))}
      {decisions.length === 0 && (
        <p class="quiet">{t('The composer made no choices: the skill has no artifacts and no tools.')}</p>
      )}
      {record !== undefined && (
        <details class="record">
          <summary>{t('Invocation record')}</summary>
          <pre>{JSON.stringify(record, undefined, 2)}</pre>
        </details>
      )}
    </div>
  );
}

/** Returns the file name, with the folder for a `SKILL.md`, because all `SKILL.md` files have the same name. */
const titleOf = (uri: string): string =>
  fileName(uri) === 'SKILL.md' ? `${fileName(uri.replace(/\/[^/]*$/, ''))}/SKILL.md` : fileName(uri);

interface DecisionsProps {
  readonly title: string | undefined;
  readonly rows: readonly ShownDecision[];
  readonly actions: Actions;
}

/** The decisions about one file. Omitted parts come first, because users usually look for them. */
function Decisions({ title, rows, actions }: DecisionsProps) {
  const groups = [
    { name: t('Excluded'), of: rows.filter(({ taken }) => !taken) },
    { name: t('Included'), of: rows.filter(({ taken }) => taken) },
  ];
  return (
    <section>
      {title !== undefined && <h2>{title}</h2>}
      {groups.map(
        ({ name, of }) =>
          of.length > 0 && (
            <div key={name} class="reasons">
              <h3>
                {name} <span class="quiet">{of.length}</span>
              </h3>
              <ul>
                {of.map((one, at) => (
                  <li key={at}>
                    <Link title={t('Go to the source')} onClick={() => actions.reveal(one, true)}>
                      {one.name}
                    </Link>{' '}
                    <span class="quiet">{subjects[one.subject]}</span>
                    <div class="reason">
                      <WithCode text={one.reason} />
                    </div>
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
    </section>
  );
}

/** The reasons why the planner does not offer the skill. */
const Gates = ({ gates, actions }: { readonly gates: readonly ShownGate[]; readonly actions: Actions }) => (
  <section>
    <h2>{t('Allowed here?')}</h2>
    <ul class="gates">
      {gates.map((gate, at) => (
        <li key={at}>
          {t('No, because')}{' '}
          <Link title={t('Go to the location')} onClick={() => actions.reveal(gate, true)}>
            <WithCode text={gate.reason} />
          </Link>
          <Remedy gate={gate} actions={actions} />
        </li>
      ))}
    </ul>
  </section>
);

/** The link that resolves a gate: another profile, another source, or the location in the catalog. */
function Remedy({ gate: place, actions }: { readonly gate: ShownGate; readonly actions: Actions }) {
  const { gate } = place;
  if (gate === 'deprecation') return null;
  if (gate === 'disabled') {
    return (
      <>
        {' · '}
        <Link onClick={() => actions.reveal(place, true)}>{t('Change it in the catalog')}</Link>
      </>
    );
  }
  const isPlace = gate === 'context' || gate === 'permission';
  return (
    <>
      {' · '}
      <Link onClick={() => actions.edit(isPlace ? 'source' : 'profile')}>
        {isPlace ? t('Choose another source') : t('Choose another profile')}
      </Link>
    </>
  );
}
