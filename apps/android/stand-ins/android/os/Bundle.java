package android.os;

import java.util.HashMap;
import java.util.Map;

public final class Bundle {
  private final Map<String, String> strings = new HashMap<>();

  public String getString(String key) {
    return strings.get(key);
  }

  public void putString(String key, String value) {
    strings.put(key, value);
  }
}
