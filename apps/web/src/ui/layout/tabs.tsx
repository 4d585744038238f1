import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import "./tabs.css";

interface Tab<Id extends string> {
  readonly id: Id;
  readonly text: string;
  readonly count?: number | undefined;
  /** Why the tab is disabled. It stays focusable, so that the reason can be read. */
  readonly disabledBecause?: string | undefined;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  /** At the end of the row. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export function Tabs<Id extends string>({ label, tabs, value, onChange, aside, children }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);

  function walk(event: KeyboardEvent, index: number) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (index + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
    if (tab !== undefined && tab.disabledBecause === undefined) onChange(tab.id);
  }

  return (
    <>
      <div className="tabs-row">
        <div className="tabs" role="tablist" aria-label={label} ref={list}>
          {tabs.map((tab, index) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${base}${tab.id}`}
              aria-selected={tab.id === value}
              aria-controls={`${base}panel`}
              aria-disabled={tab.disabledBecause === undefined ? undefined : true}
              aria-describedby={tab.disabledBecause === undefined ? undefined : `${base}${tab.id}why`}
              tabIndex={tab.id === value ? 0 : -1}
              onKeyDown={(event) => walk(event, index)}
              onClick={() => tab.disabledBecause === undefined && onChange(tab.id)}
            >
              {tab.text}
              {tab.count !== undefined && <span className="count">{tab.count}</span>}
            </button>
          ))}
        </div>
        {tabs.map(
          (tab) =>
            tab.disabledBecause !== undefined && (
              <p key={tab.id} id={`${base}${tab.id}why`} className="meta">
                {tab.disabledBecause}
              </p>
            ),
        )}
        {aside}
      </div>
      <div role="tabpanel" id={`${base}panel`} aria-labelledby={`${base}${value}`}>
        {children}
      </div>
    </>
  );
}
