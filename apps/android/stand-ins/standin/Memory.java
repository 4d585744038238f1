package standin;

import android.content.SharedPreferences;
import java.util.HashMap;
import java.util.Map;

/** An app's stored preferences. */
final class Memory implements SharedPreferences, SharedPreferences.Editor {
  private final Map<String, Boolean> kept = new HashMap<>();

  @Override
  public boolean getBoolean(String key, boolean otherwise) {
    Boolean value = kept.get(key);
    return value == null ? otherwise : value;
  }

  @Override
  public SharedPreferences.Editor edit() {
    return this;
  }

  @Override
  public SharedPreferences.Editor putBoolean(String key, boolean value) {
    kept.put(key, value);
    return this;
  }

  @Override
  public void apply() {}
}
