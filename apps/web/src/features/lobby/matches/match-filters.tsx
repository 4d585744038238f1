import { SEARCH_MAX } from "@holo/protocol/lobby/match-list-terms.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { LIMIT_MINUTES, listPaidStakes, STAKES } from "@holo/table/stakes.ts";
import { formatStake } from "../../../shared/match/match.ts";
import { Button } from "../../../ui/button/button.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { countFilters, type MatchFilter, NO_FILTER } from "./match-filter.ts";
import "./match-filters.css";

interface Option {
  readonly value: string;
  readonly text: string;
  readonly change: Partial<MatchFilter>;
}

const STATUSES: readonly Option[] = [
  { value: "", text: "All Statuses", change: { status: null } },
  { value: "pending", text: "Pending", change: { status: "pending" } },
  { value: "active", text: "Active", change: { status: "active" } },
  { value: "completed", text: "Completed", change: { status: "completed" } },
];

const GAME_OPTIONS: readonly Option[] = [
  { value: "", text: "All games", change: { game: null } },
  ...GAMES.map(({ id, name }) => ({ value: id, text: name, change: { game: id } })),
];

const LIMITS: readonly Option[] = [
  { value: "", text: "Any time", change: { limitMinutes: null } },
  ...LIMIT_MINUTES.map((limitMinutes) => ({
    value: `${limitMinutes}`,
    text: `${limitMinutes} min`,
    change: { limitMinutes },
  })),
];

const { stakeMin: LEAST, stakeMax: MOST } = NO_FILTER;

const PAID = listPaidStakes();

/** Each stake alone, then each range of paid ones from the lowest or up to the highest. */
const STAKE_RANGES: readonly Option[] = [
  { value: "", text: "Any stake", change: { stakeMin: LEAST, stakeMax: MOST } },
  ...STAKES.map((stake) => toStakes(stake, stake)),
  ...PAID.slice(1, -1).map((stake) => toStakes(PAID[0]!, stake)),
  ...PAID.slice(1, -1).map((stake) => toStakes(stake, MOST)),
];

function toStakes(stakeMin: MatchFilter["stakeMin"], stakeMax: MatchFilter["stakeMax"]): Option {
  const value = `${stakeMin}-${stakeMax}`;
  return {
    value,
    text: stakeMin === stakeMax ? formatStake(stakeMin) : `${stakeMin}\u2013${stakeMax} HC`,
    change: { stakeMin, stakeMax },
  };
}

const PANEL_ID = "match-filters";

interface FiltersToggleProps {
  readonly filter: MatchFilter;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Of phones, where the filters would push the matches down. */
export function FiltersToggle({ filter, isOpen, onToggle }: FiltersToggleProps) {
  const count = countFilters(filter);
  return (
    <Button
      kind="quiet"
      size="small"
      className="filters-toggle"
      aria-expanded={isOpen}
      aria-controls={PANEL_ID}
      onClick={onToggle}
    >
      <Icon name="search" size={16} />
      {count === 0 ? "Filters" : `Filters (${count})`}
    </Button>
  );
}

interface MatchFiltersProps {
  readonly filter: MatchFilter;
  readonly isOpen: boolean;
  readonly search: string;
  readonly onChange: (change: Partial<MatchFilter>) => void;
  readonly onSearch: (text: string) => void;
}

export function MatchFilters({ filter, isOpen, search, onChange, onSearch }: MatchFiltersProps) {
  const { stakeMin, stakeMax } = filter;
  const isAnyStake = stakeMin === LEAST && stakeMax === MOST;
  const choices = [
    { label: "Status", options: STATUSES, value: filter.status ?? "" },
    { label: "Game", options: GAME_OPTIONS, value: filter.game ?? "" },
    { label: "Stake", options: STAKE_RANGES, value: isAnyStake ? "" : `${stakeMin}-${stakeMax}` },
    { label: "Time limit", options: LIMITS, value: `${filter.limitMinutes ?? ""}` },
  ];
  return (
    <search id={PANEL_ID} className={classes("match-filters", isOpen && "open")}>
      <TextField
        label="Search"
        labelHidden
        icon="search"
        type="search"
        placeholder="Search by player, game mode..."
        charactersMax={SEARCH_MAX}
        autoComplete="off"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
      {choices.map(({ label, options, value }) => (
        <SelectField
          key={label}
          label={label}
          labelHidden
          options={withChosen(options, value)}
          value={value}
          onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.change ?? {})}
        />
      ))}
    </search>
  );
}

/** An address may name a range that is not offered. */
function withChosen(options: readonly Option[], value: string): readonly Option[] {
  if (options.some((option) => option.value === value)) return options;
  return [...options, { value, text: `${value.replace("-", "\u2013")} HC`, change: {} }];
}
