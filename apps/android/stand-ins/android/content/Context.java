package android.content;

import standin.Phone;

public abstract class Context {
  public static final int MODE_PRIVATE = 0;
  public static final String DOWNLOAD_SERVICE = "download";

  public void startActivity(Intent intent) {
    Phone.start(intent);
  }

  public Object getSystemService(String name) {
    return DOWNLOAD_SERVICE.equals(name) ? Phone.downloads : null;
  }

  public final int getColor(int id) {
    return id;
  }
}
